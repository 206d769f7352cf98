import { formatBytes } from '@/lib/values/format-bytes'

/** How the bytes of a ZIP begin: with a file, or, without any, with its end. */
const BEGINNINGS = ['PK\u0003\u0004', 'PK\u0005\u0006']

/** Why a file can't be a plugin archive, found without sending it; null where it may be one. */
export async function archiveRefusal(file: Blob, maxBytes: number): Promise<string | null> {
  if (file.size > maxBytes)
    return `${formatBytes(file.size)} is more than the server accepts (${formatBytes(maxBytes)}). Split the data files over several plugins, or ask for a higher MAX_ZIP_BYTES.`
  const start = new Uint8Array(await file.slice(0, 4).arrayBuffer())
  if (BEGINNINGS.includes(String.fromCharCode(...start))) return null
  return 'This is not a ZIP archive. Choose the ZIP of a plugin, with engineplugin.json in it.'
}
