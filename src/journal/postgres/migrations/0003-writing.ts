/**
 * A batch of calls as one statement, which is one round trip and one commit. Each call locks its run before it looks at it, so what it has
 * seen stays true until the commit. Texts come as lines, of which JSON has none: arrays take the client longer than all the rest. Content is locked by everybody who adds some, against those who remove what nobody uses.
 */
export const writing = `
CREATE FUNCTION frond.add_content(of_run bigint, hashes text[], bodies text[], all_parts text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO frond.blobs (hash, body, parts)
    SELECT hash, body, parts FROM unnest(hashes, bodies, all_parts) AS given (hash, body, parts) ORDER BY hash
    ON CONFLICT DO NOTHING;
  INSERT INTO frond.blob_uses (run, hash) SELECT of_run, hash FROM unnest(hashes) AS given (hash) ORDER BY hash
    ON CONFLICT DO NOTHING;
END $$;

CREATE FUNCTION frond.add_events(target frond.runs, progress jsonb, asked jsonb, bodies text[], all_parts text[])
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  added bigint;
  size bigint;
  change jsonb;
  waiting integer := target.questions;
  removed integer;
BEGIN
  WITH given AS (
    SELECT body, parts, place FROM unnest(bodies, all_parts) WITH ORDINALITY AS given (body, parts, place)
  ), written AS (
    INSERT INTO frond.events (run, sequence, body, parts) SELECT target.number, target.sequence + place, body, parts FROM given
  )
  SELECT count(*), coalesce(sum(octet_length(body)), 0) INTO added, size FROM given;
  FOR change IN SELECT value FROM jsonb_array_elements(asked) LOOP
    IF change->>0 = 'asked' THEN
      INSERT INTO frond.questions (run, sequence, path)
        VALUES (target.number, target.sequence + (change->>2)::integer + 1, change->>1);
      waiting := waiting + 1;
    ELSIF waiting > 0 THEN
      DELETE FROM frond.questions AS old
        WHERE old.run = target.number AND (change->>0 = 'all-gone' OR old.path = change->>1);
      GET DIAGNOSTICS removed = ROW_COUNT;
      waiting := waiting - removed;
    END IF;
  END LOOP;
  UPDATE frond.runs AS updated SET
    sequence = target.sequence + added,
    bytes = target.bytes + size,
    questions = waiting,
    updated_at = coalesce(progress->>'updatedAt', target.updated_at),
    status = coalesce(progress->>'status', target.status),
    cancelled = coalesce((progress->>'cancelled')::integer, target.cancelled),
    host = CASE WHEN progress ? 'host' THEN progress->>'host' ELSE target.host END,
    wake_at = CASE WHEN progress ? 'wakeAt' THEN progress->>'wakeAt' ELSE target.wake_at END,
    spend = CASE WHEN progress ? 'spend' THEN progress->>'spend' ELSE target.spend END,
    error = CASE WHEN progress ? 'finishedAt' THEN progress->>'error' ELSE target.error END,
    result = CASE WHEN progress ? 'finishedAt' THEN progress->>'result' ELSE target.result END,
    finished_at = CASE WHEN progress ? 'finishedAt' THEN progress->>'finishedAt' ELSE target.finished_at END,
    duration_ms = CASE WHEN progress ? 'finishedAt' THEN (progress->>'durationMs')::double precision ELSE target.duration_ms END
  WHERE updated.number = target.number;
END $$;

CREATE FUNCTION frond.remove_run(target bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM frond.events WHERE run = target;
  DELETE FROM frond.questions WHERE run = target;
  DELETE FROM frond.inbox WHERE run = target;
  DELETE FROM frond.blobs WHERE hash IN (
    SELECT hash FROM frond.blob_uses AS own WHERE own.run = target
    AND NOT EXISTS (SELECT FROM frond.blob_uses AS other WHERE other.hash = own.hash AND other.run <> own.run)
  );
  DELETE FROM frond.blob_uses WHERE run = target;
  DELETE FROM frond.runs WHERE number = target;
END $$;

CREATE FUNCTION frond.write(
  writer bigint, number_of_batch bigint, known_version integer, given_time double precision, calls jsonb,
  body_lines text, part_lines text, hash_lines text, content_lines text, content_part_lines text
) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  bodies text[] := string_to_array(body_lines, chr(10));
  all_parts text[] := string_to_array(part_lines, chr(10), '');
  hashes text[] := string_to_array(hash_lines, chr(10));
  contents text[] := string_to_array(content_lines, chr(10));
  content_parts text[] := string_to_array(content_part_lines, chr(10), '');
  content_lock CONSTANT bigint := 7018141379438440549;
  time double precision := coalesce(given_time, extract(epoch FROM clock_timestamp()) * 1000);
  last_batch bigint;
  answers jsonb;
  call jsonb;
  result jsonb;
  target frond.runs;
  existing record;
  is_under boolean;
  event integer := 0;
  blob integer := 0;
  events integer;
  blobs integer;
BEGIN
  IF (SELECT max(version) FROM frond.migrations) > known_version THEN
    RAISE EXCEPTION 'written by a newer version' USING ERRCODE = 'FR001';
  END IF;
  LOOP
    SELECT done.batch, done.results INTO last_batch, answers FROM frond.writers AS done WHERE id = writer FOR UPDATE;
    EXIT WHEN FOUND;
    INSERT INTO frond.writers (id, batch) VALUES (writer, 0) ON CONFLICT DO NOTHING;
  END LOOP;
  IF last_batch >= number_of_batch THEN
    RETURN CASE WHEN last_batch = number_of_batch THEN answers END;
  END IF;
  answers := '[]';
  IF calls @> '[{"call": "delete"}]' THEN
    PERFORM pg_advisory_xact_lock(content_lock);
  ELSIF cardinality(hashes) > 0 THEN
    PERFORM pg_advisory_xact_lock_shared(content_lock);
  END IF;
  IF jsonb_array_length(calls) > 1 THEN
    -- In one order for everybody, so that no two batches wait for each other.
    PERFORM FROM frond.runs WHERE run_id IN (SELECT value->>'run' FROM jsonb_array_elements(calls)) ORDER BY number FOR UPDATE;
  END IF;
  FOR call IN SELECT value FROM jsonb_array_elements(calls) LOOP
    result := 'null';
    events := coalesce((call->>'events')::integer, 0);
    blobs := coalesce((call->>'blobs')::integer, 0);
    IF call->>'call' = 'create' THEN
      INSERT INTO frond.runs (run_id, idempotency_key, fingerprint, workflow, workspace, rerun_of, undo_of, started_at, label, started_by,
          queue, host, status, updated_at, owner, holder, heartbeat_at)
        VALUES (call->>'run', call->>'key', call->>'fingerprint', call->>'workflow', call->>'workspace', call->>'rerunOf', call->>'undoOf',
          call->>'startedAt', call->>'label', call->>'startedBy', call->>'queue', call->>'host', call->>'status', call->>'updatedAt',
          call->>'owner', (call->>'holder')::bigint, CASE WHEN call->>'owner' IS NOT NULL THEN time END)
        ON CONFLICT DO NOTHING RETURNING * INTO target;
      is_under := FOUND;
      IF NOT is_under THEN
        SELECT run_id, fingerprint INTO existing FROM frond.runs
          WHERE md5(idempotency_key) = md5(call->>'key') AND idempotency_key = call->>'key';
        IF FOUND THEN
          result := jsonb_build_object('exists', existing.run_id, 'same', existing.fingerprint = call->>'fingerprint');
        END IF;
      ELSE
        result := '1';
      END IF;
    ELSIF call ? 'fence' THEN
      SELECT * INTO target FROM frond.runs WHERE run_id = call->>'run' AND fence = (call->>'fence')::integer FOR UPDATE;
      is_under := FOUND;
    END IF;
    CASE call->>'call'
      WHEN 'create', 'append', 'keep' THEN
        IF is_under AND blobs > 0 THEN
          PERFORM frond.add_content(target.number, hashes[blob + 1 : blob + blobs], contents[blob + 1 : blob + blobs],
            content_parts[blob + 1 : blob + blobs]);
        END IF;
        IF is_under AND events > 0 THEN
          PERFORM frond.add_events(target, call->'progress', call->'questions', bodies[event + 1 : event + events],
            all_parts[event + 1 : event + events]);
        END IF;
        IF call->>'call' <> 'create' THEN
          result := to_jsonb(is_under);
        END IF;
        IF is_under AND call->>'then' = 'release' AND NOT EXISTS (SELECT FROM frond.inbox WHERE run = target.number) THEN
          UPDATE frond.runs SET owner = NULL, holder = NULL, heartbeat_at = NULL WHERE number = target.number;
          result := '"released"';
        END IF;
      WHEN 'claim' THEN
        IF is_under THEN
          UPDATE frond.runs SET fence = target.fence + 1, owner = call->>'owner', holder = (call->>'holder')::bigint, heartbeat_at = time
            WHERE number = target.number;
          result := to_jsonb(target.fence + 1);
        END IF;
      WHEN 'heartbeat' THEN
        UPDATE frond.runs AS held SET heartbeat_at = time FROM jsonb_each_text(call->'held') AS given
          WHERE held.run_id = given.key AND held.fence = given.value::integer AND held.owner IS NOT NULL;
      WHEN 'release', 'abandon' THEN
        IF NOT is_under THEN
          result := '"fenced"';
        ELSIF call->>'call' = 'release' AND EXISTS (SELECT FROM frond.inbox WHERE run = target.number) THEN
          result := '"requests-waiting"';
        ELSE
          UPDATE frond.runs SET owner = NULL, holder = NULL, heartbeat_at = NULL WHERE number = target.number;
          result := '"released"';
        END IF;
      WHEN 'post' THEN
        result := to_jsonb(is_under AND target.owner IS NOT NULL);
        IF result = 'true' THEN
          INSERT INTO frond.inbox (run, key, body) VALUES (target.number, call->>'key', call->>'body') ON CONFLICT DO NOTHING;
        END IF;
      WHEN 'settle' THEN
        DELETE FROM frond.inbox WHERE id IN (SELECT value::bigint FROM jsonb_array_elements_text(call->'ids'));
      WHEN 'hide' THEN
        UPDATE frond.runs SET hidden = (hidden::jsonb || jsonb_build_array(call->>'checkpoint'))::text
          WHERE run_id = call->>'run' AND NOT hidden::jsonb ? (call->>'checkpoint');
      WHEN 'delete' THEN
        SELECT * INTO target FROM frond.runs WHERE run_id = call->>'run' AND status IN ('success', 'failure') FOR UPDATE;
        is_under := FOUND;
        IF is_under THEN
          PERFORM frond.remove_run(target.number);
        END IF;
        result := to_jsonb(is_under);
      WHEN 'note' THEN
        INSERT INTO frond.notes (name, value) VALUES (call->>'name', coalesce(call->>'value', time::text))
          ON CONFLICT (name) DO UPDATE SET value = excluded.value;
    END CASE;
    event := event + events;
    blob := blob + blobs;
    answers := answers || jsonb_build_array(result);
  END LOOP;
  UPDATE frond.writers SET batch = number_of_batch, results = answers, at = now() WHERE id = writer;
  RETURN answers;
END $$;
`;
