/** `path` when it leads to a page of ours, else the start page. */
export const ownPath = (path: unknown): string =>
  typeof path === 'string' && /^\/(?![/\\])/.test(path) ? path : '/'
