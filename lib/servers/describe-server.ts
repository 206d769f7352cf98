import { appUrl } from '@/lib/auth/app-url'
import type { Deps } from '@/lib/deps'
import { SETTINGS_FILES } from '@/lib/promotion/settings-kinds'
import { FORMAT } from '@/lib/promotion/take-snapshot'
import { describeSettings, type SettingGroup } from '@/lib/settings/describe-settings'
import type { ServerDescription } from './contract'

/** What is of one machine alone, and so different everywhere. */
const OWN = new Set(['Address', 'Database', 'Data folder', 'Read replicas', 'Previous secret'])

const environmentOf = ({ settings }: SettingGroup) =>
  settings
    .filter(({ label }) => !OWN.has(label))
    .map(({ label, variables, state, value }) => ({
      ...{ variable: variables[0] ?? '', label, state, value },
    }))

/** What another server has to know to compare itself with this one. */
export const describeServer = (
  { settings }: Pick<Deps, 'settings'>,
  version: string,
): ServerDescription => ({
  version,
  snapshot: FORMAT,
  address: appUrl(settings),
  renumbers: true,
  environment: describeSettings(settings).flatMap(environmentOf),
  settings: Object.fromEntries(SETTINGS_FILES.map(({ what, fields }) => [what, [...fields]])),
})
