import { useState } from 'react'
import { FormDialog } from '@/components/ui/form-dialog'
import { FormField } from '@/components/ui/form-field'
import { Input, NameInput, Textarea } from '@/components/ui/input'
import { toast } from '@/components/ui/toast'
import { createPublisher, usePublisherMutation } from './publisher-queries'

/** Asks for a publisher's key, and until when to trust it. */
export function PublisherDialog({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('')
  const [publicKey, setPublicKey] = useState('')
  const [until, setUntil] = useState('')
  const creation = usePublisherMutation(createPublisher)
  const submit = () => {
    const draft = { name, publicKey: publicKey.trim(), expiresAt: endOf(until) }
    creation.mutate(draft, {
      onSuccess: () => {
        toast.success(`${name} is trusted`)
        onClose()
      },
    })
  }
  return (
    <FormDialog
      onClose={onClose}
      title="Trust a publisher"
      description="Plugins that are signed by this key are the publisher’s. Take the key from the publisher, not from where the plugin was."
      submitLabel="Trust publisher"
      attempt={creation}
      fields={['name', 'publicKey', 'expiresAt']}
      onSubmit={submit}
    >
      <FormField name="name" label="Name" required>
        <NameInput value={name} onValueChange={setName} autoComplete="off" />
      </FormField>
      <FormField
        name="publicKey"
        label="Public key"
        required
        hint="The line of the .pub file that begins with RW, or the whole file"
      >
        <Textarea
          code
          rows={3}
          value={publicKey}
          onChange={({ target }) => setPublicKey(target.value)}
        />
      </FormField>
      <FormField name="expiresAt" label="Trusted until" hint="Without an end, if it is empty">
        <Input
          type="date"
          value={until}
          onChange={({ target }) => setUntil(target.value)}
          className="w-44"
        />
      </FormField>
    </FormDialog>
  )
}

/** The end of a day here. */
const endOf = (day: string): string | null =>
  day === '' ? null : new Date(`${day}T23:59:59.999`).toISOString()
