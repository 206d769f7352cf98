import type { GroupCondition } from '@/components/data-table/filter/condition'
import type { Faults } from '@/components/data-table/filter/condition-faults'
import type { FilterField } from '@/components/data-table/filter/field'
import { GroupEditor } from '@/components/data-table/filter/group-editor'
import { ActorValues } from '@/components/data-table/filter/values/actor-values'
import { Segmented } from '@/components/ui/segmented'
import { ActorValue } from './actor-value'
import type { PolicyDraft } from './policy-draft'
import { Section } from './section'

type Props = {
  draft: PolicyDraft
  onChange: (part: Partial<PolicyDraft>) => void
  fields: readonly FilterField[]
  faults: Faults
  isChecked: boolean
}

const NO_CONDITIONS: GroupCondition = { operator: 'and', filters: [] }

/** Which rows the policy concerns. */
export function PolicyRows({ draft, onChange, ...shared }: Props) {
  const { where, allow, actions } = draft
  const isNew = actions.length === 1 && actions[0] === 'write'
  return (
    <Section
      title="Rows"
      hint={
        isNew
          ? 'New records that may be created.'
          : `Records that it ${allow ? 'allows' : 'denies'}, also by fields of records they refer to.`
      }
      choice={
        <Segmented
          aria-label="Rows"
          value={where ? 'some' : 'all'}
          onValueChange={(next) => onChange({ where: next === 'some' ? NO_CONDITIONS : null })}
          options={[
            { value: 'all', label: 'All rows' },
            { value: 'some', label: 'Some rows' },
          ]}
        />
      }
    >
      {where && (
        <Conditions {...shared} group={where} onChange={(next) => onChange({ where: next })} />
      )}
    </Section>
  )
}

/** What a written record must meet afterwards. */
export function RowsWritten({ draft, onChange, ...shared }: Props) {
  const { check, where } = draft
  return (
    <Section
      title="Written records must meet"
      hint="Checked after the change: otherwise somebody could move a record out of their own sight, or into that of others."
      choice={
        <Segmented
          aria-label="Written records must meet"
          value={check ? 'others' : 'same'}
          onValueChange={(next) =>
            onChange({ check: next === 'others' ? (where ?? NO_CONDITIONS) : null })
          }
          options={[
            { value: 'same', label: where ? 'The same conditions' : 'Nothing more' },
            { value: 'others', label: 'Other conditions' },
          ]}
        />
      }
    >
      {check && (
        <Conditions {...shared} group={check} onChange={(next) => onChange({ check: next })} />
      )}
    </Section>
  )
}

type ConditionsProps = Omit<Props, 'draft' | 'onChange'> & {
  group: GroupCondition
  onChange: (group: GroupCondition) => void
}

/** The filter builder, whose values may be those of the person who asks. */
const Conditions = (props: ConditionsProps) => (
  <ActorValues value={ActorValue}>
    <div className="rounded-lg border p-3">
      <GroupEditor {...props} />
    </div>
  </ActorValues>
)
