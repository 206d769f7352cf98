import { useState } from 'react'
import { FormDialog } from '@/components/ui/form-dialog'
import { FormField } from '@/components/ui/form-field'
import { Input } from '@/components/ui/input'
import type { NewWebhook, Webhook } from '@/lib/webhooks/contract'
import { changeWebhook, useWebhookMutation } from './webhook-queries'

type Props = {
  webhook: Webhook
  onClose: () => void
  /** With the first address comes the secret, once. */
  onSecret: (webhook: NewWebhook) => void
}

/** Where a webhook of a plugin sends to: all that is not the plugin's. */
export function AddressDialog({ webhook, onClose, onSecret }: Props) {
  const [url, setUrl] = useState(webhook.url ?? '')
  const saving = useWebhookMutation(async (body: { url: string }) => {
    const { secret, ...saved } = await changeWebhook({ id: webhook.id, ...body })
    if (secret !== undefined) onSecret({ ...saved, secret })
  })
  return (
    <FormDialog
      onClose={onClose}
      title={`Address of “${webhook.name}”`}
      description="Changes are sent there, as you may see them. What is sent is up to the plugin."
      submitLabel="Save"
      attempt={saving}
      fields={['url']}
      onSubmit={() => saving.mutate({ url }, { onSuccess: () => onClose() })}
    >
      <FormField name="url" label="Address" required hint="https, on the public internet">
        <Input
          type="url"
          value={url}
          placeholder="https://example.com/hook"
          onChange={({ target }) => setUrl(target.value)}
        />
      </FormField>
    </FormDialog>
  )
}
