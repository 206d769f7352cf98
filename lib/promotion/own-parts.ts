import { itemsOf } from './install-plugins'
import { keyOf, settingsText } from './settings-files'
import { type Item, SETTINGS_FILES, type SettingsFile } from './settings-kinds'
import type { Files } from './take-snapshot'

/** The same files, where what each server has for itself, such as the address of a webhook, is as it is in `present`. */
export function withOwnParts(files: Files, present: Files): Files {
  const adopted = new Map(files)
  for (const file of SETTINGS_FILES) {
    const { own = [], name } = file
    if (own.length > 0 && files.has(name))
      adopted.set(name, Buffer.from(settingsText(withOwn(file, own, files, present))))
  }
  return adopted
}

function withOwn(file: SettingsFile, own: readonly string[], files: Files, present: Files) {
  const known = new Map(itemsOf(present, file).map((item) => [keyOf(file, item), item]))
  return itemsOf(files, file).map((item): Item => {
    const other = known.get(keyOf(file, item))
    if (!other) return item
    return { ...item, ...Object.fromEntries(own.map((name) => [name, other[name]])) }
  })
}
