/** What elements are made with, once the page is built. */
export { Fragment, h } from "preact";
