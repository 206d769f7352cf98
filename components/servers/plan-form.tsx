import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { entitiesOptions } from '@/components/entities/entity-queries'
import { FormDialog } from '@/components/ui/form-dialog'
import { FormField } from '@/components/ui/form-field'
import { Input } from '@/components/ui/input'
import { RadioCards } from '@/components/ui/radio-cards'
import { TagInput } from '@/components/ui/tag-input'
import type { OtherServer, PlanRequest } from '@/lib/servers/contract'
import { planPromotion, testServer, useServerMutation } from './server-queries'

type Props = {
  server: OtherServer
  direction: PlanRequest['direction']
  onClose: () => void
  onPlanned: (asked: { id: string; request: PlanRequest }) => void
}

type Choice = 'all' | 'some' | 'none'

const CHOICES = [
  { value: 'all', label: 'All', hint: 'Those that the source has deleted go to the trash.' },
  { value: 'some', label: 'Of some entities', hint: 'All of them, or those that match a filter.' },
  { value: 'none', label: 'None', hint: 'Definitions, roles, policies, views and webhooks alone.' },
] as const

/** What of the source is brought. */
export function PlanForm({ server, direction, onClose, onPlanned }: Props) {
  const [choice, setChoice] = useState<Choice>('all')
  const [entities, setEntities] = useState<string[]>([])
  const [filters, setFilters] = useState<Record<string, string>>({})
  const names = useEntityNames(server, direction)
  const planning = useServerMutation(planPromotion)
  const submit = () => {
    const request = requestOf(direction, choice, entities, filters)
    const sent = { id: server.id, ...request }
    planning.mutate(sent, { onSuccess: ({ id }) => onPlanned({ id, request }) })
  }
  return (
    <FormDialog
      onClose={onClose}
      size="lg"
      title={direction === 'pull' ? `Bring from ${server.name}` : `Send to ${server.name}`}
      description="Nothing is changed yet: a plan is shown first."
      submitLabel="Show the plan"
      attempt={planning}
      fields={['entities', 'where']}
      onSubmit={submit}
      disabled={choice === 'some' && entities.length === 0}
    >
      <div className="grid gap-1.5">
        <span className="text-[13px] font-medium">Records</span>
        <RadioCards
          aria-label="Records"
          value={choice}
          onValueChange={setChoice}
          choices={CHOICES}
        />
      </div>
      {choice === 'some' && (
        <>
          <FormField name="entities" label="Entities" required>
            <TagInput value={entities} onValueChange={setEntities} suggestions={names} />
          </FormField>
          {entities.map((name) => (
            <FormField
              key={name}
              name={`where.${name}`}
              label={`Filter of ${name}`}
              hint="As in the address of a list: status:eq:active. Empty: all"
            >
              <Input
                value={filters[name] ?? ''}
                className="font-mono text-[13px]"
                autoComplete="off"
                spellCheck={false}
                onChange={({ target }) => setFilters({ ...filters, [name]: target.value })}
              />
            </FormField>
          ))}
        </>
      )}
    </FormDialog>
  )
}

/** Of the source; none while it does not respond. */
function useEntityNames({ id }: OtherServer, direction: PlanRequest['direction']): string[] {
  const own = useQuery({ ...entitiesOptions, enabled: direction === 'push' })
  const other = useQuery({
    queryKey: ['servers', id, 'test'],
    queryFn: () => testServer(id),
    enabled: direction === 'pull',
    retry: false,
  })
  if (direction === 'push') return own.data?.data.map(({ name }) => name) ?? []
  return other.data?.entities ?? []
}

function requestOf(
  direction: PlanRequest['direction'],
  choice: Choice,
  entities: string[],
  filters: Record<string, string>,
): PlanRequest {
  const isSome = choice === 'some'
  const entered = entities.map((name) => [name, (filters[name] ?? '').trim()] as const)
  return {
    direction,
    records: choice === 'none' ? 'none' : 'all',
    entities: isSome ? entities : null,
    where: isSome ? Object.fromEntries(entered.filter(([, filter]) => filter !== '')) : {},
    onConflict: 'fail',
  }
}
