import { PlusIcon, Trash2Icon } from 'lucide-react'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import type { WrittenKey } from './written'

const STRATEGIES = [
  { value: 'AutoIncrement', label: 'Numbers that the server gives' },
  { value: 'UUID', label: 'UUIDs that the server gives' },
  { value: 'Fixed', label: 'Given with each record' },
]
const TYPES = [
  { value: 'number', label: 'Number' },
  { value: 'string', label: 'Text' },
]
const ADDED: WrittenKey = { key: '', strategy: 'Fixed', type: 'string' }
const MAX_KEYS = 8

type Props = {
  keys: readonly WrittenKey[]
  /** Names of those that the entity has, which are changed by renaming. */
  present: readonly string[]
  /** Names of declared fields: a key of that name has the field's type. */
  declared: readonly string[]
  onChange: (keys: readonly WrittenKey[]) => void
}

/** What identifies a record. */
export function KeyCard({ keys, present, declared, onChange }: Props) {
  const change = (at: number, part: Partial<WrittenKey>) =>
    onChange(keys.map((key, index) => (index === at ? { ...key, ...part } : key)))
  return (
    <Card
      title="Key"
      description="Which fields identify a record"
      actions={
        keys.length < MAX_KEYS && (
          <Button size="sm" onClick={() => onChange([...keys, ADDED])}>
            <PlusIcon aria-hidden /> Add key
          </Button>
        )
      }
    >
      <ul className="grid gap-3">
        {keys.map((key, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: names change while they are typed
          <li key={at} className="flex flex-wrap items-center gap-2">
            <KeyRow
              written={key}
              title={key.key || `key ${at + 1}`}
              nameLabel={`Name of key ${at + 1}`}
              isPresent={present.includes(key.key)}
              hasType={!declared.includes(key.key)}
              onChange={(part) => change(at, part)}
            />
            {keys.length > 1 && (
              <Button
                size="sm"
                variant="ghost"
                aria-label={`Remove the key ${key.key || at + 1}`}
                title="Remove"
                onClick={() => onChange(keys.filter((_, index) => index !== at))}
              >
                <Trash2Icon aria-hidden />
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}

type RowProps = {
  written: WrittenKey
  title: string
  nameLabel: string
  isPresent: boolean
  hasType: boolean
  onChange: (part: Partial<WrittenKey>) => void
}

function KeyRow({ written, title, nameLabel, isPresent, hasType, onChange }: RowProps) {
  const { key, strategy, type } = written
  const types = strategy === 'UUID' ? TYPES.slice(1) : TYPES
  const choose = (next: string) =>
    onChange({ strategy: next, ...(next === 'Fixed' ? {} : { type: MADE[next] ?? type }) })
  return (
    <>
      {isPresent ? (
        <span className="min-w-40 font-mono text-xs wrap-anywhere">{key}</span>
      ) : (
        <Input
          className="w-40"
          aria-label={nameLabel}
          placeholder="Name"
          value={key}
          autoComplete="off"
          onChange={({ target }) => onChange({ key: target.value.trim() })}
        />
      )}
      <Select
        aria-label={`Values of ${title}`}
        className="w-60 max-w-full"
        value={strategy}
        onValueChange={choose}
        options={STRATEGIES}
      />
      {hasType && (
        <Select
          aria-label={`Type of ${title}`}
          className="w-28"
          value={type}
          onValueChange={(next) => onChange({ type: next })}
          options={types}
        />
      )}
    </>
  )
}

/** The types of values that the server makes. */
const MADE: Record<string, string> = { AutoIncrement: 'number', UUID: 'string' }
