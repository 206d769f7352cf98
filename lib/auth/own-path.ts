const BASE = 'http://own.invalid'

/** `path` if it leads to a page of this console, else the start page: a sign-in must not lead elsewhere. */
export function ownPath(path: unknown): string {
  // A browser reads addresses by the same rules as this: it skips tabs and takes `\` for `/`.
  if (typeof path !== 'string' || !/^\/(?![/\\])/.test(path) || !URL.canParse(path, BASE))
    return '/'
  const { origin, pathname, search, hash } = new URL(path, BASE)
  const isOwn = origin === BASE && !pathname.startsWith('//')
  return isOwn ? pathname + search + hash : '/'
}
