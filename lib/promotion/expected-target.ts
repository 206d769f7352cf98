import type { Planned } from './plan-promotion'
import { changedParts, type PluginState } from './plugin-state'
import { changeText, type SettingChange } from './settings-files'

/** What a promotion found at the target before it wrote anything there. */
export type Expected = {
  /** Of the plugins that would change. */
  plugins: Record<string, PluginState>
  settings: SettingChange[]
  /** Whether its installs rename entities or fields, which settings that name them follow. */
  renames: boolean
}

export const expectedOf = (planned: Planned): Expected => ({
  plugins: planned.states,
  settings: planned.settings,
  renames: hasRenames(planned),
})

export const hasRenames = ({ plans, target }: Pick<Planned, 'plans' | 'target'>): boolean =>
  plans.length > 0 &&
  [...target.files.values()].some((bytes) => Buffer.from(bytes).includes('"renamedFrom"'))

/**
 * What others have changed of what a promotion that was stopped is yet to do, by names. `installed`: the plugins that it has
 * installed itself, which are then as the source has them.
 */
export function changedSince(
  expected: Expected,
  installed: ReadonlySet<string>,
  { states, settings }: Pick<Planned, 'states' | 'settings'>,
): string[] {
  const plugins = Object.entries(states).flatMap(([id, state]) => {
    const before = expected.plugins[id]
    if (before === undefined || installed.has(id)) return `the plugin ${id}`
    return changedParts(id, before, state)
  })
  if (expected.renames && installed.size > 0) return plugins
  const known = new Set(expected.settings.map(changeText))
  const others = settings.filter((one) => !known.has(changeText(one)))
  return [...plugins, ...others.map(({ name }) => name)]
}
