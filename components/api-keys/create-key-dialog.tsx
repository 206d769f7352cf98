import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { DraftNotice } from '@/components/drafts/draft-notice'
import { useDraft } from '@/components/drafts/use-draft'
import { entitiesOptions } from '@/components/entities/entity-queries'
import { useCan } from '@/components/shell/viewer'
import { LabelledCheckbox } from '@/components/ui/checkbox'
import type { FormError } from '@/components/ui/form'
import { FormDialog } from '@/components/ui/form-dialog'
import { FormField } from '@/components/ui/form-field'
import { NameInput } from '@/components/ui/input'
import { RadioCards } from '@/components/ui/radio-cards'
import { Select } from '@/components/ui/select'
import type { NewApiKey } from '@/lib/api-keys/contract'
import { createKey, useKeyMutation } from './key-queries'
import { KeyRoles } from './key-roles'
import { allScopes, type ChosenScopes, ScopesPicker } from './scopes-picker'

const LIFETIMES = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: '1 year' },
  { value: 'never', label: 'Never' },
] as const
type Lifetime = (typeof LIFETIMES)[number]['value']

type Rights = 'some' | 'all' | 'roles'

type Values = ChosenScopes & {
  name: string
  lifetime: Lifetime
  rights: Rights
  roles: string[]
  /** The key has selected rights of its roles only. */
  isNarrowed: boolean
}
const EMPTY: Values = {
  ...{ name: '', lifetime: '90', rights: 'some' },
  ...{ scopes: [], chosen: null, roles: [], isNarrowed: false },
}

type Props = { onClose: () => void; onCreated: (key: NewApiKey) => void }

/** Asks for name, expiry and rights of a new key. */
export function CreateKeyDialog({ onClose, onCreated }: Props) {
  const [values, setValues] = useState(EMPTY)
  const { name, lifetime, rights, scopes, chosen, roles, isNarrowed } = values
  const isSelected = rights === 'some' || (rights === 'roles' && isNarrowed)
  const set = (part: Partial<Values>) => setValues((before) => ({ ...before, ...part }))
  const input = useDraft<Values>({
    form: 'new key',
    what: 'The new API key is not created yet.',
    values: JSON.stringify(values) === JSON.stringify(EMPTY) ? null : values,
    restore: (stored) => setValues({ ...EMPTY, ...stored }),
    reset: () => setValues(EMPTY),
  })
  const mayGiveRoles = useCan('security:manage')
  const entities = useQuery(entitiesOptions)
  const creation = useKeyMutation(createKey)
  const { error, variables } = creation
  const hasNoScope = variables?.scopes?.length === 0
  const refusal = useMemo(() => (hasNoScope ? withoutScopes(error) : error), [error, hasNoScope])

  function submit() {
    const draft = {
      name,
      // A right that is chosen and not added is meant as well.
      scopes: isSelected ? allScopes(values) : null,
      roles: rights === 'roles' ? roles : undefined,
      expiresAt: expiryOf(lifetime),
    }
    creation.mutate(draft, {
      onSuccess: (key) => {
        input.settle()
        onCreated(key)
      },
    })
  }

  return (
    <FormDialog
      onClose={() => input.leave(onClose)}
      title="New API key"
      description="For a program that calls the API. The key is shown once."
      size="lg"
      submitLabel="Create key"
      attempt={creation}
      error={refusal}
      fields={['name', 'scopes', 'roles', 'expiresAt']}
      onSubmit={submit}
      className="gap-5"
    >
      <DraftNotice restored={input.restored} />
      <div className="grid gap-4 sm:grid-cols-[1fr_10rem]">
        <FormField name="name" label="Name" required hint="What the key is used for">
          <NameInput
            value={name}
            onValueChange={(next) => set({ name: next })}
            autoComplete="off"
          />
        </FormField>
        <FormField name="expiresAt" label="Expires">
          <Select
            options={LIFETIMES}
            value={lifetime}
            onValueChange={(next) => set({ lifetime: next })}
          />
        </FormField>
      </div>
      <RadioCards<Rights>
        aria-label="Rights"
        value={rights}
        onValueChange={(next) => set({ rights: next })}
        choices={[
          {
            value: 'some',
            label: 'Selected rights',
            hint: 'The rights selected below, as long as you have them yourself.',
          },
          {
            value: 'all',
            label: 'All of your rights',
            hint: 'Everything your roles allow at the time of the request.',
          },
          ...(mayGiveRoles
            ? [
                {
                  value: 'roles' as const,
                  label: 'Roles of its own',
                  hint: 'What these roles allow and no more; it outlives your account.',
                },
              ]
            : []),
        ]}
      />
      {rights === 'roles' && (
        <>
          <KeyRoles roles={roles} onChange={(next) => set({ roles: next })} />
          <LabelledCheckbox
            label="Selected rights only"
            hint="Of what the roles allow, the rights selected below."
            checked={isNarrowed}
            onCheckedChange={(on) => set({ isNarrowed: on })}
          />
        </>
      )}
      {isSelected && (
        <ScopesPicker
          scopes={scopes}
          chosen={chosen}
          onChange={set}
          entities={entities.data?.data.map((entity) => entity.name) ?? []}
        />
      )}
    </FormDialog>
  )
}

const DAY_MS = 24 * 60 * 60_000

const expiryOf = (lifetime: Lifetime): string | null =>
  lifetime === 'never' ? null : new Date(Date.now() + Number(lifetime) * DAY_MS).toISOString()

const NO_SCOPES = 'Select at least one right, or give the key all rights'

/** Why a key without any selected right was refused, in the words of the form. */
export function withoutScopes(error: FormError | null): FormError | null {
  if (!error?.errorOf?.('scopes')) return error
  return {
    message: error.message,
    errorOf: (field) => (field === 'scopes' ? NO_SCOPES : error.errorOf?.(field)),
  }
}
