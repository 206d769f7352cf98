/** `com.example.shop-1.2.0.zip` */
export function archiveName({ id, version }: { id?: unknown; version?: unknown }): string {
  const ending = typeof version === 'string' || typeof version === 'number' ? `-${version}` : ''
  return `${id}${ending}.zip`
}
