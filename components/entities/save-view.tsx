import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { toViewText } from '@/components/data-table/list-params'
import { DraftNotice } from '@/components/drafts/draft-notice'
import { useDraft } from '@/components/drafts/use-draft'
import { useCan } from '@/components/shell/viewer'
import { FormDialog } from '@/components/ui/form-dialog'
import { toast } from '@/components/ui/toast'
import { api } from '@/lib/http/client'
import type { SavedView } from '@/lib/views/contract'
import { type ViewDraft, ViewFields } from './view-fields'
import { paramsOf, type View, viewsOptions } from './view-queries'

type Props = Pick<View, 'entity' | 'list'> & {
  /** The one to change; without it a new one is made of what the list shows. */
  view?: SavedView
  onClose: () => void
}

const NEW: ViewDraft = {
  name: '',
  visibility: 'private',
  role: '',
  defaultForMe: false,
  defaultForRoles: [],
}

const FIELDS = ['name', 'role', 'defaultForRoles']

/** Names a view, and says who sees it and for whom the entity opens with it. */
export default function SaveView({ entity, list, view, onClose }: Props) {
  const stored = view ? draftOf(view) : NEW
  const [draft, setDraft] = useState(stored)
  const input = useDraft<ViewDraft>({
    form: `view ${entity} ${view?.id ?? ''}`,
    what: view ? `The changes of ${view.name} are not saved yet.` : 'The view is not saved yet.',
    values: JSON.stringify(draft) === JSON.stringify(stored) ? null : draft,
    restore: setDraft,
    reset: () => setDraft(stored),
  })
  const mayManage = useCan('users:manage')
  const client = useQueryClient()
  const saving = useMutation({
    mutationFn: () =>
      view
        ? api<SavedView>(`/api/views/${view.id}`, {
            method: 'PATCH',
            body: bodyOf(draft, mayManage),
          })
        : api<SavedView>('/api/views', {
            method: 'POST',
            body: { entity, params: toViewText(list), ...bodyOf(draft, mayManage) },
          }),
    onSuccess: async ({ data: [saved] }) => {
      input.settle()
      await client.invalidateQueries({ queryKey: viewsOptions(entity).queryKey })
      toast.success(`View “${draft.name.trim()}” is saved`)
      if (saved && !view) list.replace(paramsOf(saved))
      onClose()
    },
  })
  return (
    <FormDialog
      onClose={() => input.leave(onClose)}
      title={view ? 'Edit the view' : 'Save as a new view'}
      description={view ? undefined : 'Its filter, order and columns.'}
      submitLabel="Save"
      attempt={saving}
      fields={FIELDS}
      onSubmit={() => saving.mutate()}
    >
      <DraftNotice restored={input.restored} />
      <ViewFields entity={entity} draft={draft} mayManage={mayManage} onChange={setDraft} />
    </FormDialog>
  )
}

const bodyOf = (draft: ViewDraft, mayManage: boolean) => {
  const { name, visibility, role, defaultForMe, defaultForRoles } = draft
  return {
    name,
    visibility,
    role: visibility === 'role' ? role : null,
    defaultForMe,
    ...(mayManage ? { defaultForRoles: visibility === 'private' ? [] : defaultForRoles } : {}),
  }
}

const draftOf = ({
  name,
  visibility,
  role,
  defaultForMe,
  defaultForRoles,
}: SavedView): ViewDraft => ({
  name,
  visibility,
  role: role ?? '',
  defaultForMe,
  defaultForRoles,
})
