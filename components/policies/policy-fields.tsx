import { fieldLabel } from '@/components/data-table/field-label'
import { Button } from '@/components/ui/button'
import { LabelledCheckbox } from '@/components/ui/checkbox'
import { formatCount } from '@/components/ui/number'
import { Segmented } from '@/components/ui/segmented'
import type { FieldList } from '@/lib/auth/rights'
import type { ColumnDescription } from '@/lib/tables/column-contract'
import { hasField } from './grant'
import { isWriting, type PolicyDraft, withField, withLater } from './policy-draft'
import { Section } from './section'

type Props = {
  draft: PolicyDraft
  onChange: (part: Partial<PolicyDraft>) => void
  columns: readonly ColumnDescription[]
}

/** Which fields the policy concerns, and whether those that are added later are among them. */
export function PolicyFields({ draft, onChange, columns }: Props) {
  const { fields: list, allow } = draft
  const fields = columns.map((column) => ({
    name: column.name,
    label: fieldLabel(column),
    // A key is read with its row, whatever policies say.
    isAlways: column.key && allow && !draft.actions.some(isWriting),
  }))
  const names = fields.map(({ name }) => name)
  const removed = namesOf(list).filter((name) => !names.includes(name))
  const isOn = (name: string) => hasField(list, name)
  const choose = (fields: FieldList) => onChange({ fields })
  const chosen = fields.filter(({ name, isAlways }) => isAlways || isOn(name)).length
  const later = 'except' in list
  return (
    <Section
      title="Fields"
      hint={`${formatCount(chosen)} of ${formatCount(names.length)} ${allow ? 'allowed' : 'denied'}`}
      choice={
        <div className="flex gap-1.5">
          <Button size="sm" onClick={() => choose(later ? { except: [] } : names)}>
            All
          </Button>
          <Button size="sm" onClick={() => choose(later ? { except: names } : [])}>
            None
          </Button>
        </div>
      }
    >
      <fieldset className="grid gap-x-4 gap-y-2 rounded-lg border p-3 sm:grid-cols-2 xl:grid-cols-3">
        <legend className="sr-only">Fields</legend>
        {fields.map(({ name, label, isAlways }) => (
          <LabelledCheckbox
            key={name}
            label={<span title={name}>{label}</span>}
            hint={isAlways ? 'Key: read with its row' : undefined}
            disabled={isAlways}
            checked={isAlways || isOn(name)}
            onCheckedChange={(on) => choose(withField(list, name, on))}
          />
        ))}
        {removed.map((name) => (
          <LabelledCheckbox
            key={name}
            label={<s>{name}</s>}
            hint={<span className="text-destructive">The entity has no such field</span>}
            checked={isOn(name)}
            onCheckedChange={() => choose(without(list, name))}
          />
        ))}
      </fieldset>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <span className="text-xs text-muted-foreground">Fields that are added later are</span>
        <Segmented
          aria-label="Fields that are added later"
          value={later ? 'in' : 'out'}
          onValueChange={(next) => choose(withLater(list, next === 'in', names))}
          options={
            allow
              ? [
                  { value: 'in', label: 'Allowed' },
                  { value: 'out', label: 'Not allowed' },
                ]
              : [
                  { value: 'in', label: 'Denied' },
                  { value: 'out', label: 'Not denied' },
                ]
          }
        />
      </div>
    </Section>
  )
}

const namesOf = (list: FieldList): readonly string[] => ('except' in list ? list.except : list)

function without(list: FieldList, name: string): FieldList {
  const names = namesOf(list).filter((each) => each !== name)
  return 'except' in list ? { except: names } : names
}
