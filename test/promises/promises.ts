/** What the documents promise, in their own words, and the test that keeps each promise. */
export interface Promised {
  readonly words: string;
  readonly keptBy: string;
}

export const promises: Readonly<Record<string, readonly Promised[]>> = {
  "README.md": [
    {
      words: "a value with quotes, `$(...)` or newlines in it arrives exactly as it is",
      keptBy: "values with every hostile character arrive as they are, in every shell",
    },
    {
      words: "every problem at once, each with line, column, reason and what to do",
      keptBy: "all problems of a file are reported at once, errors first",
    },
    {
      words: "a live tree in a terminal",
      keptBy: "the tree is drawn in place while the run goes, and its last state stays",
    },
    { words: "one document with `--json`", keptBy: "with --json stdout is one document" },
    {
      words: "overwrites nothing",
      keptBy: "a second time changes nothing, not even times, and says the same next commands",
    },
    {
      words: "ends with the commands that run, test and edit what it made",
      keptBy: "the three next commands can be typed, literally",
    },
    {
      words: "adds it to .mcp.json and keeps what else is in there",
      keptBy: "keeps everything else in its file, comments too",
    },
  ],
  "docs/machines.md": [
    {
      words: "When a block's end is shown, all that it wrote is there",
      keptBy: "A run is followed on another machine as it is written, and its whole log is there when it has ended",
    },
    {
      words: "A process that is killed loses no more of a log than it had not sent",
      keptBy:
        "A process that is killed loses no more of a log than it had not sent, and that is sent when its machine goes on with the run",
    },
    {
      words: "A database that is away holds up no block that runs",
      keptBy: "while the database is away nothing waits, which is said once, and then everything is sent",
    },
    {
      words: "Of the repository nothing is run: no hooks, no file system monitor",
      keptBy: "nothing of the repository is run when it is checked out, and git asks nobody",
    },
    {
      words: "[undo](undo.md) works there",
      keptBy: "a run in a workspace of its own is undone there, and goes with it",
    },
    {
      words: "Asked for on another machine, it is queued for that one",
      keptBy: "What a worker changed is taken back on its machine, wherever that is asked for",
    },
    {
      words: "An answer is recorded on any machine",
      keptBy: "an answer is recorded on any machine, and the machine with the files goes on",
    },
    {
      words: "Without a database names of machines count for nothing",
      keptBy: "without a database the name of the machine counts for nothing",
    },
    {
      words: "What reruns the run or takes it back works there, too, and is listed where",
      keptBy: "what repeats a run, or takes it back, belongs where that was started and works where that worked",
    },
    {
      words: "the next one makes the workspace anew",
      keptBy: "a worker that dies while git works leaves the workspace to be made anew",
    },
    {
      words: "Cancelling ends git",
      keptBy: "cancelling, or the end of the worker, ends git; what is under finally runs in an empty workspace",
    },
    {
      words: "the run fails with what git says, in one line",
      keptBy: "a run whose workspace can't be made fails with what git says, in one line: ",
    },
  ],
  "docs/operations.md": [
    {
      words: "That one word is all that can be learned from it",
      keptBy: "health says in one word that the journal can't be reached, and when it can again",
    },
    {
      words: "gives Prometheus' text format to whoever shows the token",
      keptBy: "metrics count runs, blocks and the journal; nobody gets them without the token",
    },
    {
      words:
        "what is inside a nested workflow, a group, a loop or a pass belongs to the attempt that holds it, at any depth",
      keptBy: "the spans of a trace are the tree of the run: blocks, passes and attempts at any depth",
    },
    {
      words: "A run that pauses, and that another process goes on with days later, has one trace",
      keptBy:
        "a run that another process goes on with has one trace, below the span of whoever started it; a rerun links to it",
    },
    {
      words: "one warning says so and runs go on",
      keptBy: "where nobody takes traces, one warning says so, and runs go on",
    },
    {
      words: "new runs, answers and reruns are refused with 503 and `Retry-After`",
      keptBy: "a server that is told to end lets its runs end, says so, and takes no new ones",
    },
    {
      words: "A second signal ends the time at once",
      keptBy: "a second signal ends a server that drains at once, and its runs are left for others",
    },
  ],
  "docs/scaling.md": [
    {
      words: "A run with a queue is driven by workers alone",
      keptBy: "a run with a queue waits for a worker, and no other process drives it",
    },
    {
      words: "`concurrency` counts runs that a worker drives, not those that wait for one",
      keptBy:
        "a run that waits for a machine without a worker keeps no other of its workflow from its turn; one that is driven does",
    },
    {
      words: "Only a worker that has all labels, on the machine that has the files, takes a run",
      keptBy: "only a worker that has all labels, on the machine that has the files, may take a run",
    },
    {
      words: "The run of a worker that is gone is handed on, and what it completed is not run again",
      keptBy: "the run of a worker that is gone is handed on, and what it completed is not run again",
    },
    {
      words: "A worker that was thought dead and comes back can write nothing more of runs that others have taken",
      keptBy: "a worker that is stopped past its lease and then goes on can write nothing, and goes on with other runs",
    },
    {
      words: "Who holds a run is decided by the database",
      keptBy: "a holder that says nothing for too long counts as lost, by the clock of the database",
    },
    {
      words: "A run that waits for an answer, or sleeps for a minute or longer, holds no slot",
      keptBy: "a run that waits for an answer holds no worker; the answer is taken anywhere, and a worker goes on",
    },
    {
      words: "The log of a run can be followed from any machine as it is written",
      keptBy: "A run is followed on another machine as it is written, and its whole log is there when it has ended",
    },
    {
      words: "a worker that is killed loses no more of it than it had not sent",
      keptBy:
        "A process that is killed loses no more of a log than it had not sent, and that is sent when its machine goes on with the run",
    },
    {
      words: "secrets are those of the worker that drives a run",
      keptBy:
        "secrets that a run needs are those of the worker: where they are missing it ends before anything of it runs",
    },
  ],
  "docs/models.md": [
    {
      words: "is kept out of the journal, of logs and of replies, also where a server repeats it",
      keptBy: "stays out of everything, in ",
    },
    {
      words: "it is sent back once, with what is wrong; both calls count",
      keptBy: "what does not fit is sent back once with what is wrong, and both calls are paid for",
    },
    {
      words: "between them what Retry-After asks for",
      keptBy: "overload is tried again when Retry-After says, and shows as an attempt",
    },
    { words: "`stream cut after N characters`", keptBy: "a stream that ends before its last event is a failure" },
    {
      words: "the request ends at once",
      keptBy: "a cancel ends the request at once, and what is known of its cost is told",
    },
    {
      words: "`null` where either is unknown, never 0",
      keptBy: "a price that nobody knows is null, never 0, and the tokens still count",
    },
    {
      words: "A file of your own goes before them",
      keptBy: "a price comes from the table, one that is not there is unknown, and the user's file goes before both",
    },
    {
      words: "every byte of the prompt and the system prompt as a token",
      keptBy: "is never below what the bytes of the prompt and max_tokens can cost",
    },
  ],
  "docs/plans.md": [
    {
      words: "what was done is not done again",
      keptBy: "a plan whose process is killed goes on where it was, and undo takes all of it back",
    },
    {
      words: "Everything that is wrong with a plan is told at once, each time with the step, and nothing is run",
      keptBy: "all that is wrong with a plan is said at once, step by step",
    },
    {
      words: "by no server with `--no-inline` or `--read-only`",
      keptBy: "execute_plan is offered only where its toolset is named, and never where no text or no run is allowed",
    },
    {
      words: "Nothing that a plan says becomes an expression",
      keptBy: "what a plan says stands in the workflow as it is, whatever it looks like",
    },
    { words: "so a plan reaches no secret", keptBy: "a plan gets no secret, whatever it says" },
    {
      words: "What all steps have changed is taken back before the plan ends",
      keptBy: "a plan that fails in its last step leaves the tree as it was",
    },
  ],
  "docs/ci.md": [
    { words: "each line behind the block that wrote it", keptBy: "in a pipe, `--logs" },
    { words: "two blocks never share one", keptBy: "two blocks never share a line" },
    {
      words: "a progress bar is a single line with its last state, binary output and endless lines are only mentioned",
      keptBy: "a progress bar is one line, binary output a remark, and nothing speaks to a terminal",
    },
    {
      words: "what is not read yet waits on the disk, and all of it is still delivered",
      keptBy:
        "a reader that does not read neither holds up the run nor fills the memory, and gets every line in the end",
    },
    {
      words: "what a block wrote, all at once, when it has failed",
      keptBy: "`--logs failed` shows all that a failed block wrote, when it has failed",
    },
    {
      words: "With `--json` stdout has the document and nothing else",
      keptBy: "with --json nothing of it is shown, and with -v on stderr alone",
    },
    {
      words: "the end of a failed block's output is repeated, unless it is still in sight",
      keptBy: "the end of a failed block's output stands in the result when others have written much since",
    },
    {
      words: "a block is followed live while it runs alone; what runs beside others is shown when it has ended",
      keptBy: "a block that runs alone is followed in its group",
    },
    {
      words: "A failed block is an error at the line where it stands in its file, also in a file that is called",
      keptBy: "a failed block is an error at its line, of the file that it stands in",
    },
    {
      words: "is shown with a blank in it, and does nothing",
      keptBy: "nothing that a command writes is obeyed, with --logs",
    },
    {
      words: "It has at most 100 blocks and 10 failures",
      keptBy: "the summary of a run with very many blocks stays short, and tells what failed",
    },
    {
      words: "A question ends the step with code 3",
      keptBy: "a question is a warning that says how to answer, and the step ends as paused",
    },
    {
      words: "A later file wins over an earlier one, and the environment over all of them",
      keptBy: "--dotenv gives commands variables; the last file wins, and the environment over all of them",
    },
    {
      words: "is refused before anything runs, with the number of the line and never what it says",
      keptBy: "`frond %s` refuses a bad line before anything runs",
    },
    { words: "Nothing of these files is recorded", keptBy: "the values of variables are in nothing that is kept" },
  ],
  "docs/templates.md": [
    {
      words: "gives the text that Jinja2 gives",
      keptBy: "the texts are those that Jinja2 gives, where there is one to ask",
    },
    {
      words: "one newline at the end of the template is left out",
      keptBy: "one newline at the end of the template is left out, unless it is kept",
    },
    { words: "never read as a template", keptBy: "whatever the value and the text around it" },
    {
      words: "is that value: a template can come from an input or from another block",
      keptBy: "one that stands alone is the template itself, and what it prints is no template again",
    },
    {
      words: "It may take 20 million steps, 256 MB and the time of its block",
      keptBy: "loops within loops end when they have taken too many steps, and the engine goes on meanwhile",
    },
    { words: "Each of these is refused by its name", keptBy: "what is refused is refused by its name, and listed" },
  ],
  "docs/shell-values.md": [
    {
      words: "`$${p}` keeps both dollar signs, with a warning",
      keptBy: "$${name} of a name that is none of Frond's is warned about: %j",
    },
    {
      words: "the shell receives a variable, never source",
      keptBy: "a value never becomes shell source in generated scripts",
    },
    {
      words: "A value there is refused when the file is loaded",
      keptBy: "what evaluates a value is refused, or at least warned of where a program decides",
    },
    {
      words: "in a subscript, such as `a[$(command)]`, fails the block",
      keptBy: "a value that bash would run fails a block whose script calculates with what is not its own",
    },
    {
      words: "is accepted without a warning where its kind can do no harm",
      keptBy: "a value of which something is proved never runs in generated scripts",
    },
    {
      words: "one that is something else fails the block",
      keptBy: "a value that is not what was proved FAILS the block when it arrives",
    },
    {
      words: "The fix of a refusal begins with what to declare",
      keptBy: "the fix of a refusal begins with the shortest way out",
    },
  ],
  "docs/page.md": [
    {
      words: "The link lets one browser in, once",
      keptBy: "a link lets one browser in, once, and goes on to a path of this server alone",
    },
    {
      words: "that browser stays let in, also after a restart",
      keptBy: "the cookie counts after a restart, and on no page of another project",
    },
    {
      words: "asks the first one for a link, and ends",
      keptBy: "a second one for the same project asks the first for a link, and ends",
    },
    {
      words: "the commands that go on with them are printed",
      keptBy: "Ctrl-C ends it within seconds, with a stream open, and says how to go on with what was running",
    },
    {
      words: "the next free one is taken where another page has it",
      keptBy: "without --port the next free one is taken where something else has the usual",
    },
    {
      words: "one project let in can neither see nor do anything in another",
      keptBy: "a browser that one project let in can neither see nor do anything in another",
    },
    {
      words: "Those that need somebody come first, then those that run, then the others by day",
      keptBy: "has those first that need somebody, then what runs, then days",
    },
    {
      words: "While you read, lines keep their places",
      keptBy: "keep their places when a run comes in above them",
    },
    {
      words: "stands still while states change",
      keptBy: "blocks keep their place while they run: what changes then changes neither the shape nor its key",
    },
    {
      words: "what was changed since is kept, merged or restored, file by file",
      keptBy: "says what becomes of every file, and then does that by a run of its own",
    },
    {
      words: "has at most 200,000 characters",
      keptBy: "a hostile text ends in a problem, and others are served meanwhile",
    },
    {
      words: "the reason is in sight as soon as it is opened",
      keptBy: "the reason of a failure is in sight as soon as its run is opened, on wide and on narrow screens",
    },
    { words: "the diff of every file that it changed", keptBy: "changed files unfold to their diffs" },
    { words: "its log as it grows", keptBy: "a log follows its end until it is scrolled up, and can be searched" },
    {
      words: "A nested workflow, a group, a loop and a pass are stepped into, and look like the run itself",
      keptBy: "A level is the same for a run, a nested workflow, a group, a loop and a pass",
    },
    {
      words: "More than 120 blocks are drawn as groups with a cell for each block",
      keptBy: "more than 120 blocks are groups whose cells are reached by arrow keys",
    },
    {
      words: "a page that is loaded again shows the same",
      keptBy: "a page that is loaded again in the middle of a run shows the same",
    },
    {
      words: "The page follows runs that other processes drive",
      keptBy: "a run that another process drives shows up in the list and goes on in its view",
    },
    {
      words: "goes on by itself after the server was away",
      keptBy: "a page goes on by itself when the server is killed in the middle of a run and started again",
    },
    {
      words: "An answer of the page is a person's; an answer with the token is not",
      keptBy: "a person's answer comes from the page; one with the token is no person's",
    },
    {
      words: "An answer that does not fit is refused with the reason, and the question stays open",
      keptBy: "an answer that does not fit is refused with the schema's reason, and the question stays open",
    },
    { words: "what runs and will be stopped", keptBy: "a run is cancelled after what runs was named" },
    {
      words: "what is reused, what runs, and why",
      keptBy: "a rerun from a block says what is reused and what runs before it runs",
    },
    {
      words: "what becomes of every file, with diffs",
      keptBy: "an undo shows what it does, and then the file is gone",
    },
    {
      words: "with **Run dry**, what would run; nothing is started",
      keptBy: "tells what it would do, and starts nothing, for a dry run",
    },
    { words: "The form starts it", keptBy: "a workflow is started from its form, and its blocks turn while it runs" },
    { words: "says the same as a command", keptBy: "a shell that reads the command line gives every value as it is" },
    {
      words: "Files that are broken are listed with the place of each problem",
      keptBy: "workflows are listed with where they come from, and broken files with their text and the place",
    },
    { words: "Keys mean nothing while somebody types", keptBy: "mean nothing while somebody types, but Escape does" },
    { words: "every request shows the token or the cookie", keptBy: "every path knows who may ask: $who" },
    {
      words: "is shown, and nothing can be changed",
      keptBy: "a server that only reads acts on nothing, and still tells what would be",
    },
    {
      words: "begins with its last 2,000 lines",
      keptBy: "of 100,000 lines the last 2,000 are told at once, and nobody else waits for it",
    },
    {
      words: "Diffs are cut after 5,000 lines, and say so",
      keptBy: "what a run changed is told with diffs, of one block or of all, and long diffs are cut with a word",
    },
  ],
  "docs/http.md": [
    { words: "Every request shows the token or the cookie", keptBy: "every path knows who may ask: $who" },
    {
      words: "also of another port of this machine",
      keptBy: "every path knows who may ask: $who",
    },
    {
      words: "the page of one project can't act on another's runs",
      keptBy: "the cookie of another project, or of a server that only reads, opens nothing here",
    },
    {
      words: "a link that was used, or that is older than ten minutes",
      keptBy: "a link that nobody has opened is worth nothing after ten minutes, and a cookie after thirty days",
    },
    {
      words: "is let in for 30 days, also after a restart",
      keptBy: "the cookie counts after a restart, and on no page of another project",
    },
    {
      words: "refuses everything that changes something, whoever asks",
      keptBy: "a server that only reads refuses every route that acts, and no other",
    },
    { words: "A link never stands in a log", keptBy: "no link stands in a log, only how to get one" },
    {
      words: "after that has proved that it knows it",
      keptBy: "the token is shown to no program that has not proved that it knows it",
    },
    {
      words: "Ctrl-C ends the page within five seconds",
      keptBy: "Ctrl-C ends it within seconds, with a stream open, and says how to go on with what was running",
    },
    {
      words: "asks that one for a link and ends",
      keptBy: "a second one for the same project asks the first for a link, and ends",
    },
    {
      words: "is more than a megabyte behind is sent the end",
      keptBy: "a reader that takes nothing is sent the end, and what waits for it does not grow",
    },
  ],
  "docs/mcp.md": [
    {
      words: "What is said so early is word for word what the server says itself",
      keptBy: "a client of %s gets the tools before the server is loaded, and those that the server lists itself",
    },
    {
      words: "that of `initialize` and that of `tools/list`",
      keptBy: "a client of %s is greeted before the server is loaded, with what the server says itself",
    },
    {
      words: "A server that has options, or a workflow file that speaks of `expose`, lists its tools itself",
      keptBy: "with the options %j the server lists the tools itself",
    },
    {
      words: "the client is told that the tools have changed",
      keptBy: "tools that have changed since an early answer are told of as a change",
    },
    {
      words: "Every request has one answer, in whatever pieces it comes",
      keptBy: "what comes byte by byte is answered once and in order",
    },
    {
      words: "reads those that look different, so a change counts at once",
      keptBy: "a text that is written anew counts at once, also when size and time of change are the same",
    },
    {
      words: "reads on gets all that the server has said by then",
      keptBy: "a client that reads slowly gets all that the server has said before its end",
    },
    {
      words: "and nothing else: as plain text, below one line that says how",
      keptBy: "a log of 5 MB is read by tail, grep and pages, each for a few thousand characters",
    },
    {
      words: "`field`, with one value of a record",
      keptBy: "one field of a record or of the outputs is read raw, in parts like a log",
    },
    {
      words: "their functions, what becomes of a run, three examples and the calls to make",
      keptBy: "get_workflow_schema without arguments is a page that says all of the language",
    },
    {
      words: "A workflow is given by its name or by the path of its file in the workspace",
      keptBy: "execute_workflow takes the path of a file in the workspace, if it is trusted",
    },
    {
      words: "which run nothing, take any",
      keptBy:
        "validate_workflow_yaml takes a text, a name or a path in the workspace, trusted or not, and runs nothing",
    },
    {
      words: "so that `execute_workflow` runs it by name at once",
      keptBy: "a workflow that is saved runs by its name at once, with the call that the reply names",
    },
    {
      words: "What is trusted is exactly the text that was sent, and that one file",
      keptBy: "bytes that somebody else puts into the file before it is trusted are not trusted",
    },
    {
      words: "the name of a built-in workflow, of one of the user's or of another file is refused",
      keptBy: "the name of a built-in workflow, one of the user's or another file's is refused",
    },
    {
      words: "and with `--no-inline` none others are run",
      keptBy: "with --no-inline only tests that a person has trusted are run, of workflows that they have trusted",
    },
    {
      words: "or that nobody has looked at, is never replaced",
      keptBy: "what nobody has looked at is not replaced, whatever is asked for",
    },
    {
      words: "A server that was started anew takes over nothing by itself",
      keptBy: "a server over HTTP goes on with what others left only when it is told to recover",
    },
    {
      words: "`deploy@1/build` what was inside it then",
      keptBy: "get_run gives a block as it was in an earlier attempt, with its log and what happened to it",
    },
    {
      words: "none of the library that takes commands",
      keptBy: "--no-inline leaves a client no workflow that takes commands",
    },
    {
      words: "A call may then name no `workspace` either",
      keptBy: "--no-inline leaves a client no directory of its choice for a workflow that runs what its directory says",
    },
    {
      words: "a package to install or to fetch",
      keptBy: "an input that names a package to install or to fetch takes commands",
    },
    {
      words: "a file that the same workflow, or one that it calls, runs",
      keptBy: "a workflow that writes an input to a file which it runs takes commands, in whatever order",
    },
    {
      words: "workflows that may take commands with `--no-inline` all the same",
      keptBy: "--allow lets one of them run all the same",
    },
    {
      words: "The reply says so, with the files that differ",
      keptBy: "a file that got there in another way is not run, and the reply says what a person has to do",
    },
    {
      words: "prints the configuration, with the absolute path of this installation",
      keptBy: "the server starts with exactly the command that is printed, and works in the project",
    },
    {
      words: "says on stderr where it belongs",
      keptBy: "where it belongs is told apart from it, and all of it as one document with --json",
    },
    {
      words: "what follows -- is passed on to `frond serve`",
      keptBy: "a workspace and further arguments reach the server",
    },
    {
      words: "Every request needs that token, whatever its path",
      keptBy: "without the right token nothing is served, and the refusal says where the token is",
    },
    {
      words: "made once, for its owner only",
      keptBy: "the token is made once, for its owner only, and is never written to the log",
    },
    {
      words: "refused unless there is a token already",
      keptBy: "other machines are served only when the user asks for it and there is a token already",
    },
    {
      words: "names another host, or comes from a page of another origin, is refused with 403",
      keptBy: "a name or a page that is not the server's own gets 403, whatever token it shows",
    },
    {
      words: "nobody without it can keep you out",
      keptBy: "who has no token keeps nobody out, however many connections they hold open",
    },
    {
      words: "closed when nobody has used it for half an hour",
      keptBy: "a session that nobody uses is closed after half an hour; one that is used or listened to is not",
    },
    {
      words: "it goes on when the session ends",
      keptBy: "2025-11-25: a session that is ended is gone, and what runs for it goes on",
    },
  ],
  "docs/language.md": [
    {
      words: "until what its block did is rolled back",
      keptBy: "a daemon that a run has left ends before the run is rolled back",
    },
    {
      words: "a yes trusts exactly what was shown, and no other file",
      keptBy: "only the files that are needed are shown and trusted, those that are called among them",
    },
    {
      words:
        "keeps its name (the `name:` it says, else that of its file): who calls it is told what is wrong with it, and never gets another workflow of that name",
      keptBy: "a broken workflow is refused with its problems, and never is a built-in one of its name run instead",
    },
    {
      words:
        "where a workflow of its name comes from elsewhere, that one runs, and `frond run`, `info`, `validate` and `execute_workflow` say so",
      keptBy: "that a project's own workflow is not trusted, so that another of its name runs, is said with the result",
    },
    {
      words: "A path stays where the file that says it comes from; a symbolic link does not lead out either",
      keptBy: "nothing above a file that is run by its path comes with it, nor what a link leads to",
    },
    {
      words: "what lies beside and below it, by `./`; never by `../`",
      keptBy: "a file that is run by its path calls those beside and below it, from any directory",
    },
    {
      words: "the workspace's trusted files: `./.frond/workflows/...`",
      keptBy: "an inline workflow names the workspace's trusted files by path, and no others",
    },
    {
      words: "A computed path is held to the same when the block runs",
      keptBy: "a path that is computed is held to the same rules when the block runs",
    },
    {
      words: "two files of one name are never confused",
      keptBy: "files of the same name that are reached by different paths are never confused",
    },
    {
      words: "for the commands of its own Shell and Agent blocks, not for those of workflows that it calls",
      keptBy: "the env of a workflow reaches its own commands, not those of its children, and a block's own wins",
    },
    {
      words: "a secret is recorded as its reference",
      keptBy: "a secret in the env of a workflow reaches the command and is recorded as its reference",
    },
    {
      words: "So reading a var adds the edges of what it reads",
      keptBy: "reading a var adds the edges of what it reads",
    },
    {
      words: "Vars may read vars, in any order but not in a circle",
      keptBy: "vars that read each other are refused with the path that closes",
    },
    {
      words: "What vars come to, written out, is limited",
      keptBy: "vars that grow exponentially are refused at once",
    },
    {
      words: "all problems of a file are reported at once",
      keptBy: "all problems of a file are reported at once, errors first",
    },
    { words: "`--strict` makes it an error", keptBy: "warnings are errors with --strict only" },
    {
      words: "Its record is that of an ExecuteWorkflow block",
      keptBy: "a group has the record that a called workflow with the same blocks has, and the same happens in it",
    },
    {
      words: "An id may not repeat one that is visible around it",
      keptBy: "an id may not repeat one that is visible around it, but two groups may use the same",
    },
    {
      words: "`depends_on` names blocks beside it only",
      keptBy: "depends_on inside names blocks beside it only, and says so",
    },
    {
      words: "if what is read failed, the whole group is skipped",
      keptBy: "a group whose blocks read one that failed is skipped, and its outputs are null",
    },
    {
      words: "A block inside never handles a failure outside",
      keptBy: "only a condition of the group itself can handle a failure around it",
    },
    {
      words: "waiting for an answer does not count",
      keptBy: "a workflow's timeout counts active time: pauses cost nothing, and what is left counts on",
    },
    {
      words: "An input is required unless it has a default or says `required: false`",
      keptBy: "required is true unless there is a default, and can be said",
    },
    {
      words: "nothing runs before everything fits, and all that does not is told at once",
      keptBy: "every input that does not fit is told at once, and nothing runs",
    },
    {
      words: "A pattern has to match the whole text",
      keptBy: "a pattern matches the whole text, with an engine that never takes long",
    },
    {
      words: "of the elements that do not fit the first three are told",
      keptBy: "of elements that don't fit the first three are told",
    },
    {
      words: "these win over an output of the same name",
      keptBy: "how a block went wins over an output of the same name, which is reached below outputs",
    },
    {
      words: "inside a nested workflow or a loop, at any depth",
      keptBy: "a loop of workflows and loops inside them have one shape at every depth",
    },
    { words: "Nothing is ever resolved twice", keptBy: "a value is never resolved a second time, wherever it is put" },
    { words: "`$${` writes a literal `${`", keptBy: "$${ writes a literal ${ everywhere" },
    { words: "Keys of maps are not expressions", keptBy: "keys of maps are not interpolated" },
    {
      words: "`regex_match(text, pattern)` searches in linear time",
      keptBy: "a pattern on which other engines take for ever is searched in linear time",
    },
    {
      words: "A block starts the moment everything it depends on has ended",
      keptBy: "a block starts the moment its own dependencies are done, whatever else of their wave still runs",
    },
    {
      words: "the condition alone decides about that dependency",
      keptBy: "a condition that mentions state decides alone: %s",
    },
    {
      words: "unless the edge says `required: true`",
      keptBy: "required: true said in so many words wins over a condition that mentions the state",
    },
    {
      words:
        "Reading a block that is not upstream yet makes the reader wait for it, and require it unless it asks how it went",
      keptBy: "a reference to a block that is not upstream adds an edge, and a hint to declare it",
    },
    {
      words: "what may be left out needs `required: false`",
      keptBy: "who does what the fixes say gets a block that runs in all cases, with what there is: %s",
    },
    {
      words: "A skipped block says which dependency or condition it was",
      keptBy: "a false condition skips the block, and the reason says so and quotes it",
    },
    {
      words: "A block that did not run to its end has outputs that never look like success",
      keptBy: "skipped and failed blocks have outputs that never look like success",
    },
    {
      words: "changes no file after its end",
      keptBy: "a block that has timed out while it read a large file leaves it as it is",
    },
    {
      words: "its message says how many of them were made",
      keptBy: "changes nothing when it is cancelled in the moment that its changes are announced, and says so",
    },
    {
      words: "followed without the headers that hold a secret",
      keptBy: "do not get there in a header, and other headers do",
    },
    {
      words: "not at all with a body: the block then fails and names the origin",
      keptBy: "a body of $method is not taken to another origin by $status, and the refusal names it",
    },
    {
      words: "The run is `failed` if any block could not run",
      keptBy: "a run in which a block could not run is failed, whatever else happened",
    },
    { words: "Independent branches always go on", keptBy: "independent branches go on whatever happens beside them" },
    { words: "Outputs are evaluated whatever happened", keptBy: "outputs are evaluated when the run fails too" },
    {
      words: "A condition that mentions `each` is asked per element, otherwise once",
      keptBy: "a condition that does not mention each is judged once, for the whole loop",
    },
    {
      words: "`timeout` counts per element",
      keptBy: "a dependency of a loop skips the whole loop, and a timeout counts for each element",
    },
    {
      words: "it is refused, with the safe form in the message",
      keptBy: "the safe forms are accepted",
    },
    {
      words: "A list that stands bare becomes one word per element",
      keptBy: "a list that is a whole word becomes one word per element",
    },
    {
      words: "The command's standard input is empty unless `stdin` is given",
      keptBy: "stdout and stderr are two, and stdin is what was given, else empty",
    },
    {
      words: "what it left running is ended",
      keptBy: "what a command leaves in the background is ended with it, or with the run if it says keep_background",
    },
    {
      words: "Of long output the head and the tail are kept",
      keptBy: "output above max_output keeps its head and its tail",
    },
    {
      words: "`env_policy: clean` passes only the likes of PATH and HOME",
      keptBy: "env_policy clean passes PATH, HOME and the like, and what env names, but not the rest",
    },
    {
      words: "a file of more than 10 MiB fails the block",
      keptBy: "a file above 10 MiB FAILS the block, required or not",
    },
    {
      words: "that all its blocks share and that is removed when the run has succeeded",
      keptBy: "$SCRATCH is one private directory for all blocks at every depth, removed when the run ends",
    },
    {
      words: "That of another run is kept for its rerun, which begins with a copy, until `frond gc` removes the run",
      keptBy: "that of a run that failed is kept if anything is in it, a rerun begins with a copy, and gc removes it",
    },
    {
      words: "A project's own workflows are trusted by content",
      keptBy: "a workflow that has changed since is not run, and the message says which files differ",
    },
    {
      words: "not run by name, not called, not tested, and overrides nothing",
      keptBy: "one that was added or changed overrides nothing",
    },
    {
      words: "In a terminal `frond run NAME` shows what it needs and nobody has looked at, and asks",
      keptBy: "frond run shows what nobody has looked at, and asks",
    },
    {
      words: "File blocks change nothing in a `.frond` directory, at any depth",
      keptBy: "a model can't write a workflow with a file block and then run it by name",
    },
    {
      words: "A sandboxed command writes only in the workspace and in `$SCRATCH`",
      keptBy: "a sandboxed command writes in the workspace and in $SCRATCH, and nowhere else",
    },
    {
      words: "It has no network unless `network: host` gives it this machine's",
      keptBy: "a sandboxed command has no network, unless it is the host's",
    },
    {
      words: "The rest of `.git` can be written to, so that a command can commit",
      keptBy: "a sandboxed command commits, but changes neither hooks nor settings",
    },
    {
      words: "Where there is no `.git` or `.frond`, none can be made",
      keptBy: "a sandboxed command makes no .frond and no .git, and neither is there afterwards",
    },
    {
      words: "`commondir` with a dot in it, which means nothing to git",
      keptBy: "git works in a sandbox and outside at the same time as without one",
    },
    {
      words: "Unix sockets can't be made, so that no service is reached by a path, wherever that lies",
      keptBy: "a sandboxed command without network reaches no Unix socket, wherever its path lies",
    },
    {
      words: "one that a value names must lie inside it, wherever links lead",
      keptBy: "%s that a value names as working directory does not lead out of the workspace",
    },
    {
      words: "git runs no program that it names",
      keptBy: "git runs nothing that the settings of another repository name",
    },
    {
      words: "everything it has started ends with it, `setsid` or not",
      keptBy: "is the end of all it has started, also in a session of its own",
    },
    {
      words: "Nothing further in can lift it",
      keptBy: "nothing further in lifts what is said around it",
    },
    {
      words: "also when that is resumed or rerun",
      keptBy: "--sandbox holds for every command of the run, whoever goes on with it, and for a rerun",
    },
    {
      words: "A block that asks for it where it can't be had fails and says what is missing; nothing runs without it",
      keptBy: "a command that asks for a sandbox fails with what is missing and how to get it, and does not run",
    },
    {
      words: "The child sees the inputs it is given and nothing else",
      keptBy: "a child sees nothing but its inputs: neither blocks nor inputs of its caller",
    },
    {
      words: "A workflow can't call itself, directly or through others",
      keptBy: "a workflow that calls itself, directly or through others, is refused with the way",
    },
    {
      words: "The run goes on with everything else and then waits",
      keptBy: "a question pauses the run only when everything else that can run has run",
    },
    {
      words: "`default` fills an empty answer and never answers by itself",
      keptBy: "a default never answers by itself",
    },
    {
      words: "a later place winning over an earlier one",
      keptBy: "a later directory wins over an earlier one, and says what it overrides",
    },
    {
      words: "A broken file is listed with its problems",
      keptBy: "a broken file is listed with its problems and never stops the others",
    },
  ],
  "docs/browser.md": [
    {
      words: "Problems in targets and conditions are reported when the file is loaded",
      keptBy: "what is wrong is told when the file is loaded",
    },
    {
      words: "A failure comes with a picture of the page",
      keptBy: "an assert that fails is a failure of the operation, with what was found instead and a picture",
    },
    {
      words: "can be [undone](undo.md) like any other",
      keptBy: "wait goes on when the page is as it should be, and its picture is a change that can be taken back",
    },
    {
      words: "A value is never a part of a selector or of a script",
      keptBy: "what an element is called can be anything",
    },
    { words: "two sessions know nothing of each other", keptBy: "two sessions know nothing of each other's cookies" },
    {
      words: "a block that then finds no page fails and says to open one first",
      keptBy: "a step in a session that is not there says to open a page first; a pause ends all sessions",
    },
    {
      words: "also when it is cancelled",
      keptBy: "nothing of the browser is left when a run has ended or was cancelled",
    },
    {
      words: "and after kill -9",
      keptBy: "kill -9 of Frond ends the browser, and the next browser removes what it left",
    },
    {
      words: "Dialogs are dismissed and told in the log of the block",
      keptBy: "dialogs are dismissed and told, and a page that is opened by another is the one to go on with",
    },
    {
      words: "redirects, frames, scripts, pictures, sockets and workers",
      keptBy: "no part of a page reaches a private address: scripts, pictures, frames, sockets, workers",
    },
    {
      words: "checks the address and connects to that address",
      keptBy: "a name is looked up once for each connection, so one that changes its address leads nowhere",
    },
    {
      words: "There is no other way out, for WebRTC neither",
      keptBy: "a page sends nothing past the proxy: no call over UDP, no lookup of names",
    },
    {
      words: "Only `http://` and `https://` pages can be opened",
      keptBy: "files and other schemes are refused, from a block and from a page",
    },
    {
      words: "A block that says it in a session which was opened without it fails",
      keptBy: "only who opens a session can allow it private addresses",
    },
  ],
  "docs/schedules.md": [
    {
      words: "One due time is one run, whatever the number of workers",
      keptBy: "a due time is one run, whatever the number of workers",
    },
    {
      words: "of the times that were missed in the last seven days the latest is started, once",
      keptBy: "of the times at which the database was away, however long that was, the latest is made up for, once",
    },
    {
      words: "a time is left out, unless a worker comes within ten minutes of it",
      keptBy: "what was missed for longer than ten minutes is left out, and of the rest the latest stands for all",
    },
    {
      words: "one that does not exist that day, because clocks are put forward past it, is due right after that",
      keptBy: "times are those of the zone, also when its clocks are changed, and runs get the inputs of the schedule",
    },
    {
      words: "so it is started once for each such directory",
      keptBy:
        "a workflow without a workspace of its own is started once for each directory, on the machine that was first",
    },
    {
      words: "The line works in the bare environment that cron has",
      keptBy: "the line for the crontab runs the workflow in a bare environment, and the run says who started it",
    },
    { words: "every word is quoted", keptBy: "whatever words there are, cron and sh hand them over as they are" },
    {
      words: "all other lines stay as they are",
      keptBy: "a schedule is installed once, replaced, listed and removed, and all other lines stay byte for byte",
    },
    { words: "The same times are said to systemd", keptBy: "to systemd the same minutes are said" },
    {
      words: "launchd can't be told all of them; then that is said",
      keptBy: "to launchd the same minutes are said, or that they can't be",
    },
    {
      words: "With `--skip-if-running` it starts none",
      keptBy: "--skip-if-running starts none while another run of the workflow is going there",
    },
  ],
  "docs/durable-runs.md": [
    {
      words: "A file that is found sound is not checked again while its text stays the same",
      keptBy: "a text that was found sound is not checked again, by any process",
    },
    {
      words: "its schedule are read from the file itself each time",
      keptBy: "a schedule is read from the file, never from what is kept",
    },
    {
      words: "it finds everything as without a slot",
      keptBy: "finds everything as a command that is started without one (%s)",
    },
    { words: "ends the same way, and leads its own session", keptBy: "ends as a command that is started without one" },
    {
      words: "`FROND_SLOTS=0` turns slots off",
      keptBy: "commands of Shell blocks are started by slots, unless FROND_SLOTS is 0",
    },
    {
      words: "no command stays behind: one of the others ends it, or whoever goes on with the run",
      keptBy: "whoever of engine, slot and supervisor is killed (%s), nothing is left",
    },
    {
      words: "If it is killed in that moment, the next Frond removes it",
      keptBy: "the next engine removes what one left that was killed while it made pipes",
    },
    {
      words: "A block that only computes may be computed again if nothing of it was on record yet",
      keptBy: "what a process computed and could not record is computed again, and seen once",
    },
    {
      words: "What the run asks it asks in a terminal",
      keptBy: "in a terminal attach asks what the run asks, and the run goes on in the background",
    },
    {
      words: "That process outlives the terminal, the shell and the connection, and holds",
      keptBy: "a detached run goes on when its terminal is closed, and holds nothing of it",
    },
    {
      words: "`ssh host frond run -d deploy` comes back at once",
      keptBy: "a shell that waits for all output of `frond run -d` gets its end at once, as over ssh",
    },
    {
      words: "It has the environment and the secrets of the command that started it",
      keptBy:
        "a detached run has the secrets and the environment of whoever started it, and shows the secret to nobody",
    },
    {
      words: "It ends as the run does, with the same report and exit code",
      keptBy: "attach tells all that `frond run` tells, and ends as the run does",
    },
    {
      words: "leaves the run as it is, and any number of terminals can watch the same run",
      keptBy: "two terminals watch the same run, and one of them that is closed takes nothing with it",
    },
    {
      words: "A closed terminal window or a lost connection does not cancel a run",
      keptBy: "a closed terminal leaves the run resumable: exit code 129, no process left, nothing done twice",
    },
    {
      words: "A command with no stream at a terminal has none to lose and goes on",
      keptBy: "under nohup a closed terminal stops nothing",
    },
    {
      words: "A workflow that is sure to have more nodes is refused before anything runs",
      keptBy: "200 loops of 10,000 elements are refused before anything runs, with the variable that raises the limit",
    },
    {
      words: "the block that would exceed the limit fails",
      keptBy: "what a condition or a value decides is not known to be too large, and is limited when it runs",
    },
    {
      words: "the run is ended as a failure",
      keptBy:
        "a run that would record too much ends as a failure that says why: nothing new starts, and nothing is left open",
    },
    {
      words: "a signal or a server's next request is answered",
      keptBy: "pings are answered while a run of 8,000 nodes is planned, recorded, read back and shown",
    },
    {
      words: "Any status we reported survives kill -9",
      keptBy: "a run outlives a kill at every point of every write, and another one in whoever goes on",
    },
    {
      words: "An interrupted block's effect happened at most once more than recorded",
      keptBy: "a run outlives kills at any moment and in any company, and ends as if there had been none",
    },
    {
      words: "A completed block never runs again in that run",
      keptBy: "what finished stays finished, what ran goes on, what waited waits on",
    },
    {
      words: "of several processes that want to drive a run one does, and the others say so",
      keptBy: "of two processes that resume the same run at once one does, and the other says so",
    },
    {
      words: "The definition is frozen at start",
      keptBy: "a paused run means what it meant when it started, whatever has become of its file",
    },
    {
      words: "are equal in all attempts of a block",
      keptBy: "the idempotency key is the same in every attempt at a block",
    },
    {
      words: "its blocks start afresh",
      keptBy: "is tried again as a whole: its second attempt starts afresh",
    },
    {
      words: "It holds no process and no slot",
      keptBy: "holds no slot while it sleeps",
    },
    {
      words: "the run is released. Its status is `sleeping`",
      keptBy: "for a minute or more is released, and says until when",
    },
    {
      words: "if it is set back, late; never twice",
      keptBy: "is not woken before its time, whoever takes it, and once when it has come",
    },
    {
      words: "A paused run holds no memory, no process and no lock",
      keptBy: "a paused run is held by nobody, whoever has driven it",
    },
    {
      words: "any of them can be answered in any order, by any process, at any later time",
      keptBy: "questions are answered in any order, each by another process",
    },
    {
      words: "Answering the same question twice changes nothing",
      keptBy: "answering twice changes nothing and tells how the run stands",
    },
    {
      words: "An answer that does not fit is refused with the reason, and the question stays open",
      keptBy: "an answer that does not fit is refused with the reason, and the question stays open",
    },
    {
      words: "an agent's `--response` is refused",
      keptBy: "a question to a person is not answered by --response without a terminal",
    },
    {
      words: "Looking at it starts nothing",
      keptBy: "listing runs starts nothing, and neither does any other way of looking at them",
    },
    {
      words: "an idempotency key that is equal in all its attempts",
      keptBy: "a block has the same idempotency key in every attempt",
    },
    {
      words: "even if it was the last one, so that there can be one more than `attempts` for each interruption",
      keptBy: "an interrupted attempt counts, and one after the last is made only because of it",
    },
    {
      words: "`fail` ends the block, whatever `retry` says",
      keptBy: "on_interrupted: fail ends a block, whatever retry says",
    },
    {
      words: "They are new in another run, and in another attempt of what surrounds the block",
      keptBy: "an idempotency key is new in another attempt of what surrounds the block, and in another pass",
    },
    {
      words: "`frond gc` and the retention never remove a run that sleeps",
      keptBy: "a run that sleeps for long is held by nobody, stays whatever gc removes, and is cancelled at once",
    },
    { words: "Sleeping counts for no `timeout`", keptBy: "sleeping counts for no timeout" },
    {
      words: "gives the run that has it, and with other inputs an error",
      keptBy: "the same idempotency key is the same run, and with other inputs an error",
    },
    {
      words:
        "what holds blocks is always entered, so a nested workflow with one changed block runs that block and what follows",
      keptBy: "in a group and in a called workflow blocks are compared one by one",
    },
    { words: "its failure was [allowed or handled]", keptBy: "a failure that was allowed is a result" },
    { words: "One that was skipped is judged anew", keptBy: "what failed or was skipped runs" },
    {
      words: "Its definition is the same, whatever its layout, comments and description",
      keptBy: "what says the same is reused, whatever its description and the order of its keys",
    },
    {
      words: "what the blocks around it depend on, was reused or came out the same",
      keptBy: "what is in a block that depends on another one that ran runs too",
    },
    {
      words: "An element of a loop is the same by its value",
      keptBy: "elements are the same by their value, and by their index where that is read",
    },
    { words: "So of a loop in which three elements failed, three run", keptBy: "runs the three that failed" },
    {
      words: "What is about the run itself (`metadata.*`) and the values of secrets are not compared",
      keptBy: "what is about the run itself is not compared",
    },
    {
      words: "The files that a file block read or wrote are as the run left them",
      keptBy: "file blocks run again when somebody has changed $what",
    },
    {
      words: "the end of the rerun says which these were and how many files have changed since",
      keptBy: "commands that are reused although files have changed are named",
    },
    {
      words: "counts only if the inputs of the run and the texts of every workflow in it are the same; else it is",
      keptBy: "a person's yes counts for the text and the inputs it was given for",
    },
    {
      words: "Commands that share `$SCRATCH` run again once that directory is gone",
      keptBy: "what one command left to another in the scratch directory is made again once that is gone",
    },
    {
      words: "`finally` runs again wherever something ran",
      keptBy: "finally runs anew in every workflow that runs again, and is reused in one that does not",
    },
    {
      words: "this block runs in any case, with what depends on it",
      keptBy: "the block may lie at any depth: what surrounds it is entered anew",
    },
    { words: "Only blocks that read it run again", keptBy: "of an input that has changed only its readers run" },
    {
      words: "`reuse: false` on a block lets it run in every rerun",
      keptBy: "with reuse: false a block runs, and what depends on it is reused if its outputs are the same",
    },
    {
      words: "A Shell block with `keep_background` is never reused",
      keptBy: "a command that keeps something in the background is never reused",
    },
    {
      words: "after a crash it goes on like one",
      keptBy: "a rerun that is killed goes on: what it had reused stays reused",
    },
    {
      words: "is paused, sleeping or interrupted never does",
      keptBy: "runs that are paused, sleeping, interrupted or running stay, whatever the limits say",
    },
    {
      words: "Ctrl-C while it sleeps ends the waiting, not the run",
      keptBy: "Ctrl-C leaves a sleeping run asleep, and says until when and how to go on",
    },
    {
      words: "goes on, as long as the server lives",
      keptBy: "a server that lives on wakes its runs itself",
    },
    {
      words: "goes on with everything that is due or interrupted",
      keptBy: "a run that nobody woke in time says so everywhere, and recover goes on with it",
    },
    {
      words: "a run waits for space for half a minute and goes on",
      keptBy: "a disk that fills up during a run is waited for",
    },
  ],
  "docs/dry-run.md": [
    {
      words: "no file gets another byte or time, and the run is in no list",
      keptBy: "a dry run leaves no trace: not in the workspace, not in the state directory",
    },
    {
      words: "no process is started, no network is reached",
      keptBy: "nothing is reached: no process, network, journal, log or secret",
    },
    {
      words: "what may not be run can't be tried either",
      keptBy: "what may not be run can't be tried either: files that nobody trusts, inline texts, unsafe blocks",
    },
    {
      words: "is what a run does; only what the disk alone knows",
      keptBy: "what a dry run tells of file blocks is what they do: endings, outputs, files",
    },
    {
      words: "`false and ...` is false on either side",
      keptBy: "what decides a condition in any case is enough, on either side of what is not known",
    },
    {
      words: "Secrets are shown as `${secrets.NAME}` and not looked up",
      keptBy: "secrets are shown as references, are not looked up, and are taken out of diffs",
    },
    {
      words: "are looked into at any depth, each pass of a loop by itself",
      keptBy: "nested workflows, groups and loops are looked into at any depth, each pass by itself",
    },
  ],
  "docs/agents.md": [
    {
      words: "it is never an argument and never shell text, whatever it begins with",
      keptBy: "is told its prompt by standard input, whatever is in it, and never by an argument",
    },
    {
      words: "an input that it has no option for is an error when the file is loaded",
      keptBy: "what a value could make of it is refused when the file is loaded",
    },
    {
      words: "Frond takes their values out of everything that the agent writes before it is recorded or shown",
      keptBy:
        "a key reaches the agent, and nothing that is left of the run: not the journal, a log, an answer or a stored file",
    },
    {
      words: "the agent ends with everything that it has started",
      keptBy: "cancelling ends it with all that it has started, also when it ignores SIGTERM",
    },
    {
      words: "`budget_usd` is what it counts as",
      keptBy: "a cost that nobody knows counts as budget_usd, so that a budget around it holds",
    },
    {
      words: "an agent starts only with `budget_usd`",
      keptBy: "where costs are limited it starts with a budget_usd that fits, and not without one",
    },
  ],
  "docs/undo.md": [
    {
      words: "each only if it is still where the command left it (compare-and-swap)",
      keptBy: "a branch that was moved since stays where it is, and is named",
    },
    {
      words: "The index is never touched, so `git status` may show entries afterwards",
      keptBy: "branches, tags and HEAD go back, the index stays, and git reset makes it as HEAD is",
    },
    {
      words: "set-user-id and set-group-id bits, times, owners",
      keptBy:
        "of ignored files those come back that writes names, large ones are named, set-user-id bits are not restored",
    },
    {
      words:
        "Bytes, mode, link target and existence of every journaled path are as before, or the path is named as a conflict",
      keptBy:
        "after a rollback or an undo every byte is as it was, an undo of the undo is what was there, and twice is the same as once",
    },
    {
      words: "Whatever undo overwrites is stored first",
      keptBy:
        "what somebody else wrote since is still there after an undo, or kept and named, and everything else is as it was",
    },
    {
      words: "After kill -9, forward or undoing, the next start finishes to the same state",
      keptBy: "an undo is killed at any point, the next start finishes it, and the tree comes back",
    },
    {
      words: "Twice is the same as once",
      keptBy: "a run that moved directories about is taken back once, however often it is asked for",
    },
    {
      words: "the index and untouched paths stay as they are",
      keptBy:
        "after a rollback or an undo every byte is as it was, an undo of the undo is what was there, and twice is the same as once",
    },
    {
      words: "nothing new starts, what runs is ended, then the workflow is undone",
      keptBy:
        "nothing is written once everything is being taken back: eight writers, one deaf, one that has left its group",
    },
    {
      words:
        "A rollback does not go back past a block with `commit_point: true` that has succeeded: what ended before it stays",
      keptBy: "after a rollback to a commit point, what lies before it can still be undone",
    },
    {
      words: "only what happened after it is taken back",
      keptBy: "rollback_to(step_id): what came after a step is taken back, and what it did stays",
    },
    {
      words: "prints the undo as a workflow and changes nothing",
      keptBy: "generate_undo_plan(from_step): the plan is a workflow that can be read, checked and run",
    },
  ],
  "docs/graph.md": [
    {
      words: "A line leads down from a block, or from its right side, to those that wait for it",
      keptBy: "along its lines, each block is led to from what it waits for and from nothing else",
    },
    {
      words: "A block that needs another one anyway, through a third, has no line of its own to it",
      keptBy: "what is needed through another block has no line of its own",
    },
    {
      words: "No line is wider than the terminal",
      keptBy: "no line is wider than the screen, and each block is there once",
    },
    { words: "Its ids are those of the blocks", keptBy: "ids are those of the blocks, and never words of Mermaid" },
  ],
  "docs/cli.md": [
    {
      words: "Asking writes nothing, trusts nothing and starts nothing",
      keptBy: "leaves no trace: no state directory, no trust, nothing in the journal's directory",
    },
    {
      words: "Every command that comes to an end takes `--json`",
      keptBy: "every command that comes to an end takes --json, and all have help",
    },
    { words: "A second one kills them", keptBy: "Ctrl-C twice in a terminal kills at once" },
    {
      words: "a question ends it as paused",
      keptBy: "a question that nobody can be asked is exit code 3, and says what it waits for",
    },
  ],
};
