import type { Draft } from './draft'
import type { Expected, FileResult, World } from './expected'
import { installFile } from './install-file'
import type { Choices } from './random-story'

/** What an install of the draft makes of each data file, by entity and file. */
export function installDraft(
  world: World,
  draft: Draft,
  choices: Choices,
  refused: number | null,
): (FileResult | 'refused')[][] {
  const before = structuredClone(world)
  const results = draft.entities.map((entity, at): (FileResult | 'refused')[] => {
    const expected = world.entities[at] as Expected
    if (refused === at) return entity.files.map(() => 'refused')
    expected.isOwned = true
    return entity.files.map((_, file) => installFile(world, expected, entity, file, choices))
  })
  const isFailing = results.flat().some((one) => one === 'refused' || one.isFailed)
  if (choices.mode === 'atomic' && isFailing) Object.assign(world, before)
  return results
}
