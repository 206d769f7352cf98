import { useState } from 'react'
import { FormDialog } from '@/components/ui/form-dialog'
import { FormField } from '@/components/ui/form-field'
import { Input, NameInput } from '@/components/ui/input'
import { toast } from '@/components/ui/toast'
import type { OtherServer } from '@/lib/servers/contract'
import { createServer, updateServer, useServerMutation } from './server-queries'

type Props = {
  /** Null: a new one. */
  server: OtherServer | null
  onClose: () => void
}

/** Asks for the address of another server, and a key there. */
export function ServerDialog({ server, onClose }: Props) {
  const [name, setName] = useState(server?.name ?? '')
  const [url, setUrl] = useState(server?.url ?? '')
  const [key, setKey] = useState('')
  const saving = useServerMutation(() => {
    const entered = key.trim()
    if (!server) return createServer({ name, url, key: entered })
    return updateServer({ id: server.id, name, url, ...(entered !== '' && { key: entered }) })
  })
  const submit = () =>
    saving.mutate(undefined, {
      onSuccess: () => {
        toast.success(server ? `${name} was saved` : `${name} was added`)
        onClose()
      },
    })
  return (
    <FormDialog
      onClose={onClose}
      title={server ? `Edit ${server.name}` : 'Add a server'}
      description="The key is stored encrypted, and is never shown again."
      submitLabel={server ? 'Save' : 'Add server'}
      attempt={saving}
      fields={['name', 'url', 'key']}
      onSubmit={submit}
    >
      <FormField name="name" label="Name" required>
        <NameInput value={name} onValueChange={setName} autoComplete="off" />
      </FormField>
      <FormField name="url" label="Address" required hint="https, on the public internet">
        <Input
          type="url"
          value={url}
          placeholder="https://staging.example.com"
          onChange={({ target }) => setUrl(target.value)}
        />
      </FormField>
      <FormField
        name="key"
        label="API key"
        required={!server}
        hint={
          server ? 'Empty: as it is. Another address needs it again' : 'Of an administrator there'
        }
      >
        <Input
          type="password"
          value={key}
          autoComplete="off"
          onChange={({ target }) => setKey(target.value)}
        />
      </FormField>
    </FormDialog>
  )
}
