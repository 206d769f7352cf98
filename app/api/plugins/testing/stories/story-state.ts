import { expect } from 'vitest'
import type { Deps } from '@/lib/deps'
import { type Draft, type Form, firstDraft, PLUGIN } from './draft'
import { emptyWorld, type World } from './expected'
import { storedOwners, storedRecords } from './record-edits'

/** Where a story takes place: the author's draft, what is expected of the database, and the names of installed entities. */
export type StoryState = {
  deps: Deps
  form: Form
  draft: Draft
  world: World
  names: (string | null)[]
  /** Values and records that people have made. */
  made: number
}

export function newStory(deps: Deps, form: Form): StoryState {
  const draft = firstDraft()
  const world = emptyWorld(draft.entities.length)
  return { deps, form, draft, world, names: draft.entities.map(() => null), made: 0 }
}

/** Compares tables and owners with what is expected of them; returns the records of all entities. */
export async function checkStory({ deps, world, names }: StoryState): Promise<unknown[]> {
  const all: unknown[] = []
  const owners = await storedOwners(deps, PLUGIN)
  for (const [at, { rows, isOwned }] of world.entities.entries()) {
    const name = names[at]
    const stored = name ? await storedRecords(deps, name) : []
    const expected = [...rows.values()].map(({ no, a, b, c }) => ({ no, a, b, c }))
    expect(stored).toEqual(expected.sort((a, b) => a.no - b.no))
    if (name) expect([name, owners.get(name)]).toEqual([name, isOwned])
    all.push(stored)
  }
  return all
}
