export async function put(part: Part): Promise<void> {
  queue.add(part);
}
