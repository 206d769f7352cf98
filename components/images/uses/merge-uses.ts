import type { ImageUses } from './uses-query'

/**
 * The records that use any of several images, each once, with the fields of all its uses. Hidden records may be the
 * same for each image: `hidden` is the least number that they can be.
 */
export function mergeUses(all: readonly ImageUses[]): ImageUses {
  const uses = new Map<string, ImageUses['uses'][number]>()
  for (const use of all.flatMap((each) => each.uses)) {
    const id = `${use.entity}\n${use.persistenceId}`
    const fields = [...(uses.get(id)?.fields ?? []), ...use.fields]
    uses.set(id, { ...use, fields: [...new Set(fields)] })
  }
  return {
    uses: [...uses.values()],
    hidden: Math.max(0, ...all.map(({ hidden }) => hidden)),
    more: unique(all.flatMap(({ more }) => more)),
    incomplete: unique(all.flatMap(({ incomplete }) => incomplete)),
    complete: all.every(({ complete }) => complete),
  }
}

const unique = (names: readonly string[]) => [...new Set(names)]

/** Nothing is known that uses it, and everything was searched. */
export const isUnused = ({ uses, hidden, more, complete }: ImageUses): boolean =>
  uses.length + hidden + more.length === 0 && complete
