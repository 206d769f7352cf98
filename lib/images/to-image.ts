import type { ImageRow } from '@/lib/db/schema'
import type { Image } from './contract'

/**
 * The public form of a record; `appUrl` is where people reach the app, without a slash at the end.
 */
export function toImage(row: ImageRow, appUrl: string): Image {
  const { id, assetId, publicId, name, mediaType, bytes, format, folder, width, height } = row
  return {
    ...{ fileId: id, id: assetId, publicId, name, mediaType },
    uri: absoluteUri(row.uri, appUrl),
    secureUri: absoluteUri(row.secureUri, appUrl),
    ...{ bytes, format, folder, width, height },
    tags: row.tags,
    context: row.context,
    crop: row.crop,
    focalPoint: row.focalPoint,
    persistenceId: id,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

/** Objects on the disk have a path below the app's address. */
const absoluteUri = (uri: string, appUrl: string) => (uri.startsWith('/') ? `${appUrl}${uri}` : uri)
