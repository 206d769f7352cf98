import { PlusIcon, XIcon } from 'lucide-react'
import { useContext } from 'react'
import { Button } from '@/components/ui/button'
import { LabelledCheckbox } from '@/components/ui/checkbox'
import { Correct, useFieldError } from '@/components/ui/form-field'
import { Select } from '@/components/ui/select'
import { Badge } from '@/components/ui/status'
import { PERMISSIONS, RECORD_ACTIONS } from '@/lib/auth/rights'
import { scopeWords } from './scope-words'

/** Scopes, and the one that was chosen last and is not among them yet. */
export type ChosenScopes = { scopes: string[]; chosen: string | null }

type Props = ChosenScopes & {
  onChange: (part: Partial<ChosenScopes>) => void
  entities: readonly string[]
}

/** Every scope that was chosen, whether it was added or not. */
export const allScopes = ({ scopes, chosen }: ChosenScopes): string[] => [
  ...new Set([...scopes, ...(chosen ? [chosen] : [])]),
]

/** Collects scopes: an entity and an action at a time, and the rights that concern no records. */
export function ScopesPicker({ scopes, chosen, onChange: onScopes, entities }: Props) {
  const correct = useContext(Correct)
  const onChange = (part: Partial<ChosenScopes>) => {
    correct('scopes')
    onScopes(part)
  }
  const error = useFieldError('scopes')
  const add = (scope: string) => onChange({ scopes: allScopes({ scopes, chosen: scope }) })
  const drop = (scope: string) => onChange({ scopes: scopes.filter((each) => each !== scope) })
  return (
    <div className="grid gap-4">
      {error && (
        <p role="alert" className="text-[13px] text-destructive">
          {error}
        </p>
      )}
      <RecordScope
        entities={entities}
        chosen={chosen}
        onChoose={(scope) => onChange({ chosen: scope })}
        onAdd={(scope) => onChange({ scopes: allScopes({ scopes, chosen: scope }), chosen: null })}
      />
      <Chosen scopes={scopes.filter(isOfRecords)} onDrop={drop} />
      <fieldset className="grid gap-2">
        <legend className="mb-1.5 text-[13px] font-medium">Other rights</legend>
        <div className="grid gap-1.5 sm:grid-cols-2">
          {PERMISSIONS.map((permission) => (
            <LabelledCheckbox
              key={permission}
              label={<span title={permission}>{scopeWords(permission)}</span>}
              checked={scopes.includes(permission)}
              onCheckedChange={(checked) => (checked ? add(permission) : drop(permission))}
            />
          ))}
        </div>
      </fieldset>
    </div>
  )
}

const isOfRecords = (scope: string) => !(PERMISSIONS as readonly string[]).includes(scope)

type RecordScopeProps = {
  entities: readonly string[]
  chosen: string | null
  onChoose: (scope: string | null) => void
  onAdd: (scope: string) => void
}

function RecordScope({ entities, chosen, onChoose, onAdd }: RecordScopeProps) {
  const scope = chosen ?? '*:read'
  const at = scope.lastIndexOf(':')
  const entity = scope.slice(0, at)
  const action = scope.slice(at + 1)
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1.5 text-[13px] font-medium">Records</legend>
      <div className="flex flex-wrap gap-2">
        <Select
          aria-label="Entity"
          className="w-48"
          value={entity}
          onValueChange={(next) => onChoose(`${next}:${action}`)}
          options={[
            { value: '*', label: 'Every entity' },
            ...entities.map((name) => ({ value: name, label: name })),
          ]}
        />
        <Select
          aria-label="Action"
          className="w-36"
          value={action}
          onValueChange={(next) => onChoose(`${entity}:${next}`)}
          options={[
            ...RECORD_ACTIONS.map((name) => ({ value: name as string, label: ACTION_WORDS[name] })),
            { value: '*', label: 'Everything' },
          ]}
        />
        <Button onClick={() => onAdd(scope)}>
          <PlusIcon aria-hidden />
          Add
        </Button>
      </div>
      <p role="status" className="text-xs text-muted-foreground empty:hidden">
        {chosen && (
          <>
            The key also gets “{scopeWords(chosen)}”.{' '}
            <button
              type="button"
              className="rounded underline hover:text-foreground"
              onClick={() => onChoose(null)}
            >
              Leave it out
            </button>
          </>
        )}
      </p>
    </fieldset>
  )
}

const ACTION_WORDS = { read: 'Read', write: 'Create', update: 'Change', delete: 'Delete' }

function Chosen({ scopes, onDrop }: { scopes: string[]; onDrop: (scope: string) => void }) {
  if (scopes.length === 0) return null
  return (
    <ul className="flex flex-wrap gap-1.5" aria-label="Selected rights on records">
      {scopes.map((scope) => (
        <li key={scope}>
          <Badge className="pr-0.5">
            <span title={scope}>{scopeWords(scope)}</span>
            <button
              type="button"
              aria-label={`Remove ${scopeWords(scope)}`}
              className="grid size-4 place-items-center rounded hover:bg-accent"
              onClick={() => onDrop(scope)}
            >
              <XIcon aria-hidden className="size-3" />
            </button>
          </Badge>
        </li>
      ))}
    </ul>
  )
}
