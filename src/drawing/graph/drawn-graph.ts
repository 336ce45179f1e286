/** What a layout follows from, and nothing else: the same shape always gives the same layout. */
export interface Shape {
  readonly boxes: readonly ShapeBox[];
  readonly edges: readonly ShapeEdge[];
}

export interface ShapeBox {
  readonly id: string;
  readonly width: number;
  readonly height: number;
  /** Stands in the area of what runs however the others end. */
  readonly isFinally: boolean;
}

export interface ShapeEdge {
  readonly from: string;
  readonly to: string;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Rect extends Point {
  readonly width: number;
  readonly height: number;
}

export interface Placed extends Rect {
  readonly id: string;
}

/** A graph as it is drawn: where each box stands, and how each edge is led. */
export interface DrawnGraph {
  readonly width: number;
  readonly height: number;
  /** Column by column, from top to bottom; those of `finally` last. */
  readonly boxes: readonly Placed[];
  readonly routes: readonly Route[];
  /** Around the blocks that run however the others end. */
  readonly finallyArea?: Rect;
}

/** From the right side of a box to the left side of another. */
export interface Route extends ShapeEdge {
  readonly start: Point;
  readonly end: Point;
  /** A path of SVG that ends `shortBy` before its end: what is not taken has a bar there. */
  readonly path: string;
}

export const shortBy = 7;
