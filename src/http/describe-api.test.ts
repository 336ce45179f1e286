import { expect, test } from "vitest";
import { apiRoutes } from "./api/index.ts";
import { describeApi } from "./describe-api.ts";
import { withDoorRoutes } from "./door-routes.ts";

const routes = withDoorRoutes(apiRoutes, () => "");
const api = describeApi(routes, "1.2.3") as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string; summary: string }>>>>;
  readonly components: { readonly schemas: object };
};
const operations = Object.values(api.paths).flatMap((methods) => Object.values(methods));

test("every route is described, under a name of its own and with what it does", () => {
  expect(operations).toHaveLength(routes.length);
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(routes.length);
  for (const { summary } of operations) expect(summary).toMatch(/\S/);
});

test("every reference leads somewhere", () => {
  const text = JSON.stringify(api);
  for (const [, name = ""] of text.matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)) {
    expect(Object.keys(api.components.schemas)).toContain(name);
  }
  expect(text).not.toContain("$defs");
  expect(text).not.toContain('"$ref":"#"');
});

test("what stands in a path has a parameter", () => {
  for (const [path, methods] of Object.entries(api.paths)) {
    const wanted = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    for (const operation of Object.values(methods)) {
      const { parameters = [] } = operation as { parameters?: readonly { name: string; in: string }[] };
      expect(parameters.filter((parameter) => parameter.in === "path").map(({ name }) => name)).toEqual(wanted);
    }
  }
});
