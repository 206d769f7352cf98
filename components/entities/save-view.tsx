'use client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { toast } from 'sonner'
import { toListText } from '@/components/data-table/list-params'
import { Button } from '@/components/ui/button'
import { LabelledCheckbox } from '@/components/ui/checkbox'
import { Dialog } from '@/components/ui/dialog'
import { Form } from '@/components/ui/form'
import { FormField } from '@/components/ui/form-field'
import { NameInput } from '@/components/ui/name-input'
import { api } from '@/lib/http/client'
import type { SavedView } from '@/lib/views/contract'
import type { View } from './view'
import { viewsOptions } from './view-queries'

type Props = Pick<View, 'entity' | 'list'> & { onClose: () => void }

/** Names the current filter, order and columns. */
export default function SaveView({ entity, list, onClose }: Props) {
  const [name, setName] = useState('')
  const [shared, setShared] = useState(false)
  const client = useQueryClient()
  const saving = useMutation({
    mutationFn: () =>
      api<SavedView>('/api/views', {
        method: 'POST',
        body: { entity, name, shared, params: toListText(list) },
      }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: viewsOptions(entity).queryKey })
      toast.success(`View “${name.trim()}” is saved`)
      onClose()
    },
  })
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Save this view"
      description="Its filter, order and columns."
      size="sm"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form="save-view" variant="primary" busy={saving.isPending}>
            Save
          </Button>
        </>
      }
    >
      <Form id="save-view" error={saving.error} fields={['name']} onSubmit={() => saving.mutate()}>
        <FormField name="name" label="Name" required>
          <NameInput maxLength={80} value={name} onValueChange={setName} />
        </FormField>
        <LabelledCheckbox
          label="Share with everyone"
          hint={`Everyone who can read ${entity} sees this view.`}
          checked={shared}
          onCheckedChange={setShared}
        />
      </Form>
    </Dialog>
  )
}
