import JSZip from 'jszip'

/** ZIP keeps no zone, so that the same files make the same bytes wherever they are packed. */
const PACKED_AT = new Date('1980-01-01T00:00:00Z')

/** The ZIP of files, by their paths. */
export function packFiles(files: Iterable<readonly [string, Uint8Array]>): Promise<Uint8Array> {
  const zip = new JSZip()
  for (const [path, bytes] of files)
    zip.file(path, bytes, { date: PACKED_AT, createFolders: false })
  return zip.generateAsync({ type: 'uint8array', compression: 'DEFLATE', platform: 'UNIX' })
}

export const SIGNATURE_FILE = 'engineplugin.minisig'

/** Hidden files, packages, archives and keys lie beside a plugin's files, but don't belong to it. */
export const isLeftOut = (path: string) =>
  path.split('/').some((part) => part.startsWith('.') || part === 'node_modules') ||
  /\.(zip|key|pub)$/.test(path) ||
  path === SIGNATURE_FILE
