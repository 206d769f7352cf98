import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import JSZip from 'jszip'

const ARCHIVE = fileURLToPath(new URL('./pngsuite.zip', import.meta.url))

/**
 * Willem van Schaik's PngSuite of 2011, `{ name → bytes }`: 161 PNGs in every form, and 14
 * broken ones, named `x….png`. The archive includes its licence.
 */
export async function readPngSuite(): Promise<Map<string, Uint8Array>> {
  const zip = await JSZip.loadAsync(await readFile(ARCHIVE))
  const pictures = Object.values(zip.files).filter(({ name }) => name.endsWith('.png'))
  const read = async (file: JSZip.JSZipObject) =>
    [file.name, await file.async('uint8array')] as const
  return new Map(await Promise.all(pictures.map(read)))
}
