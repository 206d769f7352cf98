import { useMutation } from '@tanstack/react-query'
import { installQueue } from '@/components/plugins/install-queue'
import { useNavigate } from '@/components/ui/pending-page'
import { failure, fetchSignedIn } from '@/lib/http/client'
import type { EditBody } from '@/lib/lifecycle/contract'

type PluginEdit = EditBody['edits'][number]

/** Makes the next version of a plugin with edited definitions, and shows its plan: nothing is installed by it. */
export function usePlannedEdit(pluginId: string) {
  const navigate = useNavigate()
  return useMutation({
    mutationFn: (edit: PluginEdit) => editedPlugin(pluginId, [edit]),
    onSuccess: (archive) => {
      installQueue.add([archive], undefined, 'atomic')
      navigate('/plugins')
    },
  })
}

/** The next version of a plugin, as an archive. Throws `ApiError`. */
async function editedPlugin(pluginId: string, edits: readonly PluginEdit[]): Promise<File> {
  const response = await fetchSignedIn(`/api/plugins/${encodeURIComponent(pluginId)}/export`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ edits }),
  })
  if (response.ok) return new File([await response.blob()], `${pluginId}.zip`)
  const body: unknown = await response.json().catch(() => undefined)
  throw failure(response.status, body, response.headers.get('x-request-id'))
}
