import { useMutation } from '@tanstack/react-query'
import { ArrowLeftIcon } from 'lucide-react'
import { useId, useMemo, useState } from 'react'
import { useUnsaved } from '@/components/drafts/unsaved'
import { useFilterFields } from '@/components/entities/use-filter-fields'
import { planDefinition } from '@/components/model/plan-definition'
import PlannedEdit from '@/components/model/planned-edit'
import { Button, IconButton } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { Form } from '@/components/ui/form'
import { FormField } from '@/components/ui/form-field'
import { Input } from '@/components/ui/input'
import { ApiError } from '@/lib/http/client'
import type { ColumnDescription } from '@/lib/tables/column-contract'
import { announceChange } from './announce-change'
import { DeletePolicy } from './delete-policy'
import { isWriting, type PolicyDraft, policyOf, type Subject } from './policy-draft'
import { EffectSample, effectWords, useEffectOf } from './policy-effect'
import { faultsIn, serverFaults } from './policy-faults'
import { PolicyFields } from './policy-fields'
import { savePolicy, useRightsMutation } from './policy-queries'
import { PolicyRows, RowsWritten } from './policy-rows'
import { PolicyValues } from './policy-values'
import { PolicyWhat } from './policy-what'

type Props = {
  initial: PolicyDraft
  subject: Subject
  columns: ColumnDescription[]
  title: string
  /** To the list of policies, where there is one. */
  onBack?: () => void
  onClose: () => void
}

const OWN_FIELDS = ['name', 'description', 'actions', 'principals', 'entities', 'allow']

/** A policy: what it allows or denies, of which rows and fields, with what it shows at once. */
export function PolicyForm({ initial, subject, columns, title, onBack, onClose }: Props) {
  const formId = useId()
  const [draft, setDraft] = useState(initial)
  const [isChecked, setChecked] = useState(false)
  const change = (part: Partial<PolicyDraft>) => setDraft((before) => ({ ...before, ...part }))
  const fields = useFilterFields(columns)
  const policy = useMemo(() => policyOf(draft, columns), [draft, columns])
  const saving = useRightsMutation(savePolicy)
  const faults = useMemo(
    () => serverFaults(saving.error, saving.variables, policy),
    [saving.error, saving.variables, policy],
  )
  const effect = useEffectOf({ policy, subject, isSound: faultsIn(policy, fields).size === 0 })
  const { leave, settle } = useUnsaved({
    what: `The policy “${draft.name}” is not saved yet.`,
    dirty: JSON.stringify(draft) !== JSON.stringify(initial),
  })
  const done = () => {
    settle()
    onClose()
  }
  const { plugin } = initial
  const planning = useMutation({ mutationFn: planDefinition })
  const attempt = plugin ? planning : saving
  const submit = () => {
    setChecked(true)
    if (faultsIn(policy, fields).size > 0) return
    const { id: _, ...values } = policy
    const former = policyOf(initial, columns)
    if (plugin) return planning.mutate({ kind: 'policy', name: initial.name, values, former })
    saving.mutate(policy, {
      onSuccess: ({ changed, batchId }) => {
        announceChange(`Policy “${changed.name}” saved`, batchId)
        done()
      },
    })
  }
  const writes = draft.allow && draft.actions.some(isWriting)
  if (planning.data)
    return (
      <PlannedEdit
        title={title}
        change={planning.data}
        words={`Change the policy ${initial.name} of ${plugin}`}
        done={`Policy “${initial.name}” changed`}
        discardLabel="Back"
        onDiscard={() => planning.reset()}
        onClose={done}
      />
    )
  const shared = { draft, onChange: change, columns, fields, faults, isChecked }
  return (
    <Dialog
      size="xl"
      onClose={() => leave(onClose)}
      title={
        <span className="flex items-center gap-1">
          {onBack && (
            <IconButton
              icon={ArrowLeftIcon}
              label="All policies"
              className="-ml-2"
              onClick={() => leave(onBack)}
            />
          )}
          {title}
        </span>
      }
      initialFocus={FIRST_CHOICE}
      footer={
        <>
          <p
            role="status"
            className="mr-auto min-w-0 flex-1 basis-full self-center text-[13px] sm:basis-0"
          >
            {effectWords(effect)}
          </p>
          {draft.id && !plugin && (
            <DeletePolicy id={draft.id} name={initial.name} onDeleted={done} />
          )}
          <Button onClick={() => leave(onClose)}>Cancel</Button>
          <Button variant="primary" type="submit" form={formId} busy={attempt.isPending}>
            {plugin ? 'Show the plan' : draft.id ? 'Save' : 'Create policy'}
          </Button>
        </>
      }
    >
      <div className="grid gap-x-8 gap-y-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <Form
          id={formId}
          error={attempt.error}
          fields={[...OWN_FIELDS, ...placesOf(saving.error)]}
          onSubmit={submit}
          className="content-start gap-6"
        >
          <PolicyWhat {...shared} subject={subject} />
          <PolicyRows {...shared} />
          {draft.actions.some((action) => action !== 'delete') && <PolicyFields {...shared} />}
          {writes && <PolicyValues {...shared} />}
          {writes && <RowsWritten {...shared} />}
          <div className="grid gap-4 border-t pt-5 sm:grid-cols-2">
            <FormField name="name" label="Name of the policy" required>
              <Input
                value={draft.name}
                autoComplete="off"
                readOnly={plugin !== undefined}
                onChange={({ target }) => change({ name: target.value })}
              />
            </FormField>
            <FormField name="description" label="Description">
              <Input
                value={draft.description}
                autoComplete="off"
                placeholder="Why it is there"
                onChange={({ target }) => change({ description: target.value })}
              />
            </FormField>
          </div>
        </Form>
        <EffectSample effect={effect} columns={columns} role={subject.role} />
      </div>
    </Dialog>
  )
}

const FIRST_CHOICE = 'form [role="radio"][aria-checked="true"]'

/** The places that a refusal names and the form marks by itself: those of conditions. */
const placesOf = (error: Error | null): string[] =>
  error instanceof ApiError
    ? error.validations
        .map(({ field }) => field)
        .filter((field) => /^(where|check|set|fields)/.test(field))
    : []
