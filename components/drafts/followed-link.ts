/**
 * The address, from its path on, that a click leads to within the console; null for clicks that
 * leave the page as it is: on no link, with a modifier, to a file, a new tab or a part of the page.
 * Links to other sites load a new document, about which the browser asks itself.
 */
export function followedLink(event: MouseEvent): string | null {
  if (event.defaultPrevented || event.button !== 0) return null
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return null
  const link = (event.target as Element | null)?.closest<HTMLAnchorElement>('a[href]')
  if (!link || link.hasAttribute('download')) return null
  if (link.target && link.target !== '_self') return null
  const to = new URL(link.href)
  const here = window.location
  if (to.origin !== here.origin || to.pathname.startsWith('/api/')) return null
  if (to.hash && to.pathname === here.pathname && to.search === here.search) return null
  return to.pathname + to.search + to.hash
}
