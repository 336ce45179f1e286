const longest = 80;

/** What a text begins with that can stand alone, on a line. */
export function firstSentence(text: string): string {
  const [line = ""] = text.trim().split("\n");
  const [sentence = ""] = line.split(/[.;](?=\s|$)/);
  if (sentence.length <= longest) return sentence;
  return `${sentence.slice(0, longest).replace(/[,:\s]+\S*$/, "")}...`;
}
