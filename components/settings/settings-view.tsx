import type { ReactNode } from 'react'
import { Card } from '@/components/ui/card'
import { Status, type Tone } from '@/components/ui/status'
import type { Setting, SettingGroup, SettingState } from '@/lib/settings/describe-settings'

const STATES: Record<SettingState, { tone: Tone; word: string }> = {
  set: { tone: 'success', word: 'Set' },
  default: { tone: 'neutral', word: 'Default' },
  missing: { tone: 'warning', word: 'Not set' },
  optional: { tone: 'neutral', word: 'Not set' },
}

type Props = {
  groups: SettingGroup[]
  /** What stands below a group, by its title. */
  below?: Record<string, ReactNode>
}

/** The configuration of the server, by group. */
export const SettingsView = ({ groups, below = {} }: Props) => (
  <div className="grid gap-4">
    {groups.map(({ title, settings }) => (
      <Card key={title} title={title} flush>
        <dl className="divide-y">
          {settings.map((setting) => (
            <SettingRow key={setting.label} {...setting} />
          ))}
        </dl>
        {below[title] && <div className="border-t">{below[title]}</div>}
      </Card>
    ))}
  </div>
)

function SettingRow({ label, variables, state, value, hint }: Setting) {
  const { tone, word } = STATES[state]
  return (
    <div className="grid gap-x-6 gap-y-1 px-4 py-3 sm:grid-cols-[11rem_1fr_auto]">
      <dt className="grid content-start gap-0.5">
        <span>{label}</span>
        <span className="font-mono text-xs text-muted-foreground">{variables[0]}</span>
      </dt>
      <dd className="grid min-w-0 gap-0.5">
        {value !== word && <span className="font-medium break-words">{value}</span>}
        <span className="text-[13px] text-muted-foreground">{hint}</span>
      </dd>
      <dd>
        <Status tone={tone}>{word}</Status>
      </dd>
    </div>
  )
}
