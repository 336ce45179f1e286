import type { ComponentChildren, JSX, RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { SignButton } from "../../look/sign-button.tsx";
import { useKeys } from "../../shell/keys.ts";
import { useResized } from "../../shell/use-width.ts";

interface ZoomAreaProps {
  readonly width: number;
  readonly height: number;
  readonly label: string;
  /** What stands beside the buttons. */
  readonly legend: ComponentChildren;
  onClick(event: MouseEvent): void;
  onDblClick(event: MouseEvent): void;
  onKeyDown(event: KeyboardEvent): void;
  /** What is drawn, in an SVG of the size above. */
  readonly children: ComponentChildren;
}

const leastZoom = 0.2;
const mostZoom = 2;
/** Below it, words can't be read: boxes are filled with their colour instead. */
const readableZoom = 0.55;
const padding = 16;

/** A drawing that fits its width until somebody zooms it. It scrolls as any part of the page does, so focus and touch work by themselves. */
export function ZoomArea(props: ZoomAreaProps): JSX.Element {
  const { width, height, label, legend, children, ...handlers } = props;
  const area = useRef<HTMLDivElement>(null);
  const room = useWidth(area);
  const [chosen, setChosen] = useState<number>();
  const fit = room === 0 ? 1 : Math.max(leastZoom, Math.min(1, (room - 2 * padding) / Math.max(1, width)));
  const zoom = chosen ?? fit;
  const keepInPlace = useWheel(area, zoom, setChosen);
  useLayoutEffect(keepInPlace, [zoom]);
  useKeys({ z: () => setChosen(undefined) });
  const step = (factor: number): void => setChosen(limit(zoom * factor));
  return (
    <div class="zoom-area">
      <section
        class="zoom-area-view"
        aria-label={label}
        ref={area}
        onPointerDown={(event) => startDrag(event, area.current)}
      >
        {/* biome-ignore lint/a11y/noSvgWithoutTitle: the section around it has its name; a title would pop up over every block. */}
        <svg
          class={zoom < readableZoom ? "is-small" : ""}
          width={width * zoom}
          height={height * zoom}
          viewBox={`0 0 ${width} ${height}`}
          {...handlers}
        >
          {children}
        </svg>
      </section>
      <div class="zoom-area-foot">
        {legend}
        <span class="zoom-area-buttons">
          <SignButton label="Zoom out" class="" onClick={() => step(1 / 1.25)}>
            −
          </SignButton>
          <SignButton label="Zoom in" class="" onClick={() => step(1.25)}>
            +
          </SignButton>
          <SignButton label="Fit the width" class="" onClick={() => setChosen(undefined)}>
            <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
              <path class="zoom-area-fit" d="M1 4V1h3M8 1h3v3M11 8v3H8M4 11H1V8" />
            </svg>
          </SignButton>
        </span>
      </div>
    </div>
  );
}

function limit(zoom: number): number {
  return Math.max(leastZoom, Math.min(mostZoom, zoom));
}

/** How wide an element is, now and after every change. */
export function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useResized(element, ({ clientWidth }) => setWidth(clientWidth));
  return width;
}

/** Ctrl or cmd with the wheel zooms, and what is under the pointer stays there; the wheel alone scrolls. */
function useWheel(area: RefObject<HTMLElement | null>, zoom: number, choose: (zoom: number) => void): () => void {
  const now = useRef(zoom);
  const point = useRef<{ readonly x: number; readonly y: number; readonly zoom: number } | undefined>(undefined);
  now.current = zoom;
  useEffect(() => {
    const element = area.current;
    if (element === null) return undefined;
    const turn = (event: WheelEvent): void => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const box = element.getBoundingClientRect();
      point.current = { x: event.clientX - box.left, y: event.clientY - box.top, zoom: now.current };
      choose(limit(now.current * Math.exp(-event.deltaY / 400)));
    };
    element.addEventListener("wheel", turn, { passive: false });
    return () => element.removeEventListener("wheel", turn);
  }, [area, choose]);
  return () => {
    const element = area.current;
    const kept = point.current;
    point.current = undefined;
    if (element === null || kept === undefined) return;
    const grown = zoom / kept.zoom;
    element.scrollLeft = (element.scrollLeft + kept.x) * grown - kept.x;
    element.scrollTop = (element.scrollTop + kept.y) * grown - kept.y;
  };
}

/** The background drags; a finger scrolls by itself. */
function startDrag(event: PointerEvent, element: HTMLElement | null): void {
  if (element === null || event.button !== 0 || event.pointerType === "touch") return;
  if (event.target instanceof Element && event.target.closest("a, button") !== null) return;
  let { clientX, clientY } = event;
  const move = (moved: PointerEvent): void => {
    element.scrollLeft -= moved.clientX - clientX;
    element.scrollTop -= moved.clientY - clientY;
    ({ clientX, clientY } = moved);
  };
  const end = (): void => {
    element.removeEventListener("pointermove", move);
    element.classList.remove("is-dragged");
  };
  element.setPointerCapture(event.pointerId);
  element.classList.add("is-dragged");
  element.addEventListener("pointermove", move);
  for (const ending of ["pointerup", "pointercancel"]) element.addEventListener(ending, end, { once: true });
}
