import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { fieldLabel } from '@/components/data-table/field-label'
import { DryRunPreview, useDryRun } from '@/components/entities/bulk-edit/dry-run'
import { CellValue } from '@/components/entities/cell-value'
import { FormField } from '@/components/ui/form-field'
import { countOf, formatCount } from '@/components/ui/number'
import { Select } from '@/components/ui/select'
import { Skeleton } from '@/components/ui/state'
import { Table, Td, Th } from '@/components/ui/table'
import type { ColumnDescription } from '@/lib/tables/column-contract'
import { peopleOptions, withRoleFirst } from './people'
import type { Subject } from './policy-draft'
import { askEffect, type Effect, type PolicyInput } from './policy-queries'

type Options = { policy: PolicyInput & { id?: string }; subject: Subject; isSound: boolean }

/** What the policy would show, asked for again when it has not changed for a moment. */
export function useEffectOf({ policy: { id: _, name: __, ...policy }, subject, isSound }: Options) {
  const { entity, action, role } = subject
  const [chosen, choose] = useState<string | null>(null)
  const isPersonal = JSON.stringify([policy.where, policy.check]).includes('"$me')
  const found = useQuery({ ...peopleOptions, enabled: isPersonal })
  const people = withRoleFirst(found.data ?? [], role)
  const user = isPersonal ? (chosen ?? people[0]?.userId) : undefined
  const asked = policy.actions.includes(action) ? action : (policy.actions[0] ?? action)
  const dryRun = useDryRun<Effect>({
    queryKey: ['policies', 'effect', entity, asked, user],
    input: isSound ? JSON.stringify(policy) : null,
    run: (signal) =>
      askEffect({ entity, action: asked, policy, as: user ? { user } : undefined, signal }),
  })
  return { ...dryRun, people: isPersonal ? people : [], user, choose, allow: policy.allow }
}

type Shown = ReturnType<typeof useEffectOf>

/** `38 of 5,210 records, 9 of 12 fields` */
export function effectWords({ data, isRunning, error, allow }: Shown): string {
  if (isRunning) return 'Counting…'
  if (error || !data) return ''
  const { matching, total, visibleFields, fields } = data
  const rows = `${formatCount(matching)} of ${countOf(total, 'record')}`
  const said = `${rows}, ${formatCount(visibleFields.length)} of ${countOf(fields, 'field')}`
  return allow ? said : `Denies ${said}`
}

type Props = { effect: Shown; columns: readonly ColumnDescription[]; role: string }

/** Some of the records, as the policy shows them. */
export function EffectSample({ effect, columns, role }: Props) {
  const { data, error, isRunning, again, people, user, choose } = effect
  return (
    <DryRunPreview
      className="content-start lg:sticky lg:top-0 lg:self-start lg:border-l lg:pl-6"
      status={
        effectWords(effect) || 'What it concerns is shown here once its conditions are complete.'
      }
      {...{ error, isRunning, again }}
    >
      {people.length > 0 && (
        <FormField label="As it is for">
          <Select
            value={user ?? null}
            onValueChange={choose}
            options={people.map(({ userId, email, roles }) => ({
              value: userId,
              label: roles.includes(role) ? `${email} (${role})` : email,
            }))}
          />
        </FormField>
      )}
      {isRunning && !data && <Skeleton className="h-40" />}
      {data && <Sample {...data} columns={columns} />}
    </DryRunPreview>
  )
}

function Sample({ sample, visibleFields, columns }: Effect & Pick<Props, 'columns'>) {
  const shown = columns.filter(({ name }) => visibleFields.includes(name))
  if (sample.length === 0) return null
  return (
    <ul aria-label="Sample" className="grid gap-2">
      {sample.map((record) => (
        <li key={record.persistenceId} className="min-w-0 rounded-lg border">
          <Table className="[&_tr:last-child>*]:border-b-0">
            <tbody>
              {shown
                .filter(({ name }) => name in record)
                .map((column) => (
                  <tr key={column.name}>
                    <Th scope="row" className="w-28 max-w-28 truncate px-2.5">
                      {fieldLabel(column)}
                    </Th>
                    <Td className="max-w-44 truncate px-2.5 py-1 align-middle">
                      <CellValue
                        value={record[column.name] ?? null}
                        column={column}
                        record={record}
                      />
                    </Td>
                  </tr>
                ))}
            </tbody>
          </Table>
        </li>
      ))}
    </ul>
  )
}
