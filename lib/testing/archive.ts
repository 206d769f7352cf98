import JSZip from 'jszip'

/** A ZIP of `{ path: content }`; anything but texts and bytes is added as JSON. */
export async function archiveOf(files: Record<string, unknown>): Promise<Uint8Array> {
  const zip = new JSZip()
  for (const [path, content] of Object.entries(files)) {
    const isRaw = typeof content === 'string' || content instanceof Uint8Array
    zip.file(path, isRaw ? content : JSON.stringify(content))
  }
  return zip.generateAsync({ type: 'uint8array', compression: 'DEFLATE' })
}

/** A form with the archive in the field `file`. */
export function uploadOf(archive: Uint8Array, fileName = 'plugin.zip'): FormData {
  const form = new FormData()
  form.set(
    'file',
    new File([archive as Uint8Array<ArrayBuffer>], fileName, { type: 'application/zip' }),
  )
  return form
}

type Component = { manifest?: unknown; files: Record<string, unknown> }

/** The files of a plugin: `{ 'EngineEntities': { files: { 'A.json': … } } }`, each with its manifest. */
export function pluginFiles(
  components: Record<string, Component>,
  plugin: object = {},
): Record<string, unknown> {
  const files: Record<string, unknown> = {
    'engineplugin.json': { id: 'com.example.shop', name: 'Shop', version: '1.0.0', ...plugin },
  }
  for (const [folder, { manifest, files: contents }] of Object.entries(components)) {
    files[`${folder}/__manifest__.json`] = manifest ?? { target: folder.split('/').at(-1) }
    for (const [name, content] of Object.entries(contents)) files[`${folder}/${name}`] = content
  }
  return files
}
