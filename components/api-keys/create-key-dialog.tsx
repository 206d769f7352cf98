'use client'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { entitiesOptions } from '@/components/entities/entity-queries'
import { Button } from '@/components/ui/button'
import { Dialog, DialogClose } from '@/components/ui/dialog'
import { FormField } from '@/components/ui/form-field'
import { NameInput } from '@/components/ui/name-input'
import { Notice } from '@/components/ui/notice'
import { RadioCards } from '@/components/ui/radio-cards'
import { Select } from '@/components/ui/select'
import type { NewApiKey } from '@/lib/api-keys/contract'
import { ApiError } from '@/lib/http/client'
import { createKey, useKeyAct } from './key-acts'
import { ScopesPicker } from './scopes-picker'

const LIFETIMES = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'A year' },
  { value: 'never', label: 'Never' },
] as const
type Lifetime = (typeof LIFETIMES)[number]['value']

type Props = { onClose: () => void; onCreated: (key: NewApiKey) => void }

/** Asks for name, expiry and rights of a new key. */
export function CreateKeyDialog({ onClose, onCreated }: Props) {
  const form = useId()
  const [name, setName] = useState('')
  const [lifetime, setLifetime] = useState<Lifetime>('90')
  const [rights, setRights] = useState<'all' | 'some'>('some')
  const [scopes, setScopes] = useState<string[]>([])
  const entities = useQuery(entitiesOptions)
  const creation = useKeyAct(createKey)
  const error = creation.error instanceof ApiError ? creation.error : null
  const placed = ['name', 'scopes', 'expiresAt'].some((field) => error?.errorOf(field))

  function submit(event: FormEvent) {
    event.preventDefault()
    const draft = { name, scopes: rights === 'all' ? null : scopes, expiresAt: expiryOf(lifetime) }
    creation.mutate(draft, { onSuccess: onCreated })
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="New API key"
      description="For a program that calls the API. The key is shown once."
      size="lg"
      footer={
        <>
          <DialogClose render={<Button />}>Cancel</DialogClose>
          <Button type="submit" form={form} variant="primary" busy={creation.isPending}>
            Create key
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={submit} className="grid gap-5" noValidate>
        {creation.error && !placed && (
          <Notice tone="destructive" role="alert">
            {creation.error.message}
          </Notice>
        )}
        <div className="grid gap-4 sm:grid-cols-[1fr_10rem]">
          <FormField label="Name" required hint="What will use it" error={error?.errorOf('name')}>
            <NameInput value={name} onValueChange={setName} autoComplete="off" />
          </FormField>
          <FormField label="Expires" error={error?.errorOf('expiresAt')}>
            <Select options={LIFETIMES} value={lifetime} onValueChange={setLifetime} />
          </FormField>
        </div>
        <RadioCards
          aria-label="Rights"
          value={rights}
          onValueChange={setRights}
          choices={[
            {
              value: 'some',
              label: 'Chosen rights',
              hint: 'What you pick below, as long as you have it yourself.',
            },
            {
              value: 'all',
              label: 'All of your rights',
              hint: 'Whatever your roles allow at the time of the call.',
            },
          ]}
        />
        {rights === 'some' && (
          <ScopesPicker
            scopes={scopes}
            onChange={setScopes}
            entities={entities.data?.data.map((entity) => entity.name) ?? []}
            error={error?.errorOf('scopes')}
          />
        )}
      </form>
    </Dialog>
  )
}

const DAY_MS = 24 * 60 * 60_000

const expiryOf = (lifetime: Lifetime): string | null =>
  lifetime === 'never' ? null : new Date(Date.now() + Number(lifetime) * DAY_MS).toISOString()
