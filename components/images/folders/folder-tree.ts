import type { Facet } from '@/lib/images/contract'

export type Folder = {
  /** `shop/shoes` */
  path: string
  /** `shoes` */
  name: string
  /** Images in it and in all folders below. */
  count: number
  below: Folder[]
}

/** The folders as a tree by name; parents that hold no image themselves are in it. The empty one is left out. */
export function folderTree(facets: readonly Facet[]): Folder[] {
  const roots: Folder[] = []
  for (const { value, count } of facets) {
    let below = roots
    const parts = value === '' ? [] : value.split('/')
    for (const [index, name] of parts.entries()) {
      const folder = childOf(below, name, parts.slice(0, index + 1).join('/'))
      folder.count += count
      below = folder.below
    }
  }
  return sorted(roots)
}

function childOf(folders: Folder[], name: string, path: string): Folder {
  const found = folders.find((each) => each.name === name)
  if (found) return found
  const made = { path, name, count: 0, below: [] }
  folders.push(made)
  return made
}

const sorted = (folders: Folder[]): Folder[] =>
  folders
    .map((folder) => ({ ...folder, below: sorted(folder.below) }))
    .sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }))

/** A folder as a row of the open tree. */
export type FolderRow = {
  folder: Folder
  /** From 1. */
  level: number
  place: number
  siblings: number
  parent: string | null
}

/** The rows of a tree in which the folders of `open` are expanded. */
export function rowsOf(
  folders: readonly Folder[],
  open: (path: string) => boolean,
  level = 1,
  parent: string | null = null,
): FolderRow[] {
  return folders.flatMap((folder, index) => [
    { folder, level, place: index + 1, siblings: folders.length, parent },
    ...(open(folder.path) ? rowsOf(folder.below, open, level + 1, folder.path) : []),
  ])
}

/** The folders whose path has `text` in it, with what leads to them. */
export function foldersWith(folders: readonly Folder[], text: string): Folder[] {
  const wanted = text.trim().toLowerCase()
  if (wanted === '') return [...folders]
  return folders.flatMap((folder) => {
    const below = foldersWith(folder.below, text)
    const isFound = folder.path.toLowerCase().includes(wanted)
    return isFound || below.length > 0 ? [{ ...folder, below }] : []
  })
}

/** The paths of the folders above. */
export function pathsAbove(path: string): string[] {
  const parts = path.split('/')
  return parts.slice(0, -1).map((_, index) => parts.slice(0, index + 1).join('/'))
}
