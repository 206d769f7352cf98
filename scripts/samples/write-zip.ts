import JSZip from 'jszip'
import type { Json } from '@/lib/values/json'

/** Contents of an archive: path → text, or JSON to be indented. In order. */
export type Files = Record<string, string | Exclude<Json, string>>

// ZIP has local time without a zone: from local parts, the bytes are the same in every zone.
const DATE = new Date(Date.UTC(2026, 0, 1))

/** The archive's bytes, the same on every machine for the same files. */
export async function writeZip(files: Files): Promise<Uint8Array> {
  const zip = new JSZip()
  for (const [path, content] of Object.entries(files)) {
    const text = typeof content === 'string' ? content : toText(content)
    zip.file(path, text, { date: DATE, createFolders: false })
  }
  return zip.generateAsync({
    type: 'uint8array',
    compression: 'DEFLATE',
    compressionOptions: { level: 9 },
    platform: 'DOS',
  })
}

/** Records one per line, everything else indented. */
function toText(content: Exclude<Json, string>): string {
  if (!Array.isArray(content)) return `${JSON.stringify(content, null, 2)}\n`
  return `[\n${content.map((record) => JSON.stringify(record)).join(',\n')}\n]\n`
}
