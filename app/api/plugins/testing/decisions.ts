import { upload } from './plugin-api'
import { CHANGED, edit, next, remove, THREE } from './upgrades'
import { deps, installed } from './versions'

export const decided = (decisions: unknown, query: string) => {
  const text = typeof decisions === 'string' ? decisions : JSON.stringify(decisions)
  return upload(deps, next(CHANGED), { query, fields: { decisions: text } })
}

/** Three records in conflict: 1 and 2 edited, 3 deleted. */
export async function threeConflicts(): Promise<void> {
  await installed(next(THREE))
  await edit(`price = 9, "$extra" = '{"color": "green"}'`, 1)
  await edit(`name = 'Bowl'`, 2)
  await remove(3)
}
