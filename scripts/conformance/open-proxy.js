import { createServer, request } from "node:http";

/** The suite can't send a token, and the server has no switch to do without: so it is added on the way. */
export async function openProxy() {
  let target;
  const proxy = createServer((incoming, outgoing) => {
    const { method, url, headers } = incoming;
    const options = { ...target, method, path: url, headers: { ...headers, authorization: target.authorization } };
    const onward = request(options, (answer) => {
      outgoing.writeHead(answer.statusCode, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on("error", () => outgoing.destroy());
    outgoing.on("close", () => onward.destroy());
    incoming.pipe(onward);
  });
  await new Promise((done) => proxy.listen(0, "127.0.0.1", done));
  return {
    port: proxy.address().port,
    forwardTo(to) {
      target = to;
    },
    close() {
      proxy.close();
      proxy.closeAllConnections();
    },
  };
}
