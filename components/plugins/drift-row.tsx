import { CircleDotIcon, CircleMinusIcon, PlusIcon } from 'lucide-react'
import { Checkbox } from '@/components/ui/checkbox'
import { Status } from '@/components/ui/status'
import type { Drift } from '@/lib/plugins/drift-contract'
import { RecordDiff } from './record-diff'

const LOOKS = {
  added: { tone: 'success', icon: PlusIcon, label: 'Added' },
  edited: { tone: 'info', icon: CircleDotIcon, label: 'Edited' },
  deleted: { tone: 'destructive', icon: CircleMinusIcon, label: 'Deleted' },
} as const

type Props = {
  record: Drift
  checked: boolean
  onCheckedChange: ((checked: boolean) => void) | undefined
}

/** A record that differs from what the plugin gave. */
export function DriftRow({ record, checked, onCheckedChange }: Props) {
  const { entity, key, change, fields } = record
  const { tone, icon, label } = LOOKS[change]
  const side = (of: 'base' | 'ours') =>
    Object.fromEntries(fields.map((field) => [field.field, field[of]]))
  return (
    <li className="flex items-start gap-3 px-4 py-2.5">
      {onCheckedChange && (
        <Checkbox
          aria-label={`Select ${entity} ${key}`}
          className="mt-0.5"
          checked={checked}
          onCheckedChange={onCheckedChange}
        />
      )}
      <div className="grid min-w-0 flex-1 gap-1.5 sm:grid-cols-[14rem_minmax(0,1fr)] sm:gap-3">
        <p className="flex min-w-0 items-start gap-2">
          <Status tone={tone} icon={icon} className="shrink-0">
            {label}
          </Status>
          <span className="min-w-0 text-[13px] leading-5 break-words">
            {entity} <span className="font-mono text-xs break-all">{key}</span>
          </span>
        </p>
        <RecordDiff before={side('base')} after={side('ours')} />
      </div>
    </li>
  )
}
