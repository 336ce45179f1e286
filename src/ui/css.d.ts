/** Style sheets are bundled by being imported. */
declare module "*.css";
