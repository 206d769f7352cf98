/**
 * The address under which this page loads an image. What the app serves itself is asked for where
 * the page came from: people may reach it by another name than the one in public addresses.
 */
export function sourceOf(uri: string): string {
  const at = uri.indexOf('/api/images/files/')
  return at < 0 ? uri : uri.slice(at)
}
