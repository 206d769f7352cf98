/** `path` if it leads to a page of this console, else the start page. */
export const ownPath = (path: unknown): string =>
  typeof path === 'string' && /^\/(?![/\\])/.test(path) ? path : '/'
