import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { entitiesOptions } from '@/components/entities/entity-queries'
import { addFile } from '@/components/imports/import-queue'
import { importHref } from '@/components/imports/import-tasks'
import { requireTable } from '@/components/imports/no-table'
import { applyModel, faultsOf, planModel, refreshModel } from '@/components/model/model-queries'
import { Dialog, DialogButtons } from '@/components/ui/dialog'
import { Notice } from '@/components/ui/notice'
import { useNavigate } from '@/components/ui/pending-page'
import { Skeleton } from '@/components/ui/state'
import { upload } from '@/lib/http/upload'
import type { DefinitionProposal } from '@/lib/import/contract'
import { formatBytes } from '@/lib/values/format-bytes'
import { DefinitionForm } from './definition-form'
import { type DraftDefinition, mappingOf, toDefinitions, toDraft } from './draft-definition'

type Props = { file: File; onClose: () => void }

/** Makes an entity of a file: what was proposed is changed, installed as a plugin, then the file is imported. */
export default function NewEntityDialog({ file, onClose }: Props) {
  const [changed, setChanged] = useState<DraftDefinition | null>(null)
  const entities = useQuery(entitiesOptions)
  const navigate = useNavigate()
  const proposal = useQuery({
    queryKey: ['definition-proposal', file.name, file.size, file.lastModified],
    queryFn: () => propose(file),
    ...{ retry: false, staleTime: Number.POSITIVE_INFINITY, gcTime: 0 },
  })
  const draft = changed ?? (proposal.data ? toDraft(proposal.data) : null)
  const install = useMutation({
    mutationFn: async (made: DraftDefinition) => {
      const same = entities.data?.data.find(
        ({ name }) => name.toLowerCase() === made.name.toLowerCase(),
      )
      if (same) throw new Error(`There is an entity called ${same.name}. Choose another name.`)
      await installDefinition(made)
    },
    onSuccess: (_, made) => {
      const chosen = { mode: 'create', mapping: mappingOf(made), isConfirmed: true } as const
      return navigate(importHref(made.name, addFile(made.name, file, chosen)))
    },
  })
  const error = install.error ?? proposal.error
  return (
    <Dialog
      onClose={onClose}
      size="xl"
      stays={changed !== null}
      title="New entity from a file"
      description={`${file.name} · ${formatBytes(file.size)}`}
      footer={
        <DialogButtons
          onCancel={onClose}
          disabled={!draft}
          busy={install.isPending}
          onClick={() => draft && install.mutate(draft)}
          label="Create and import"
        />
      }
    >
      <div className="grid gap-4">
        {error && (
          <Notice tone="destructive" role="alert">
            <span className="whitespace-pre-line">{error.message}</span>
          </Notice>
        )}
        {draft && proposal.data ? (
          <DefinitionForm draft={draft} proposal={proposal.data} onChange={setChanged} />
        ) : (
          proposal.isPending && <Skeleton className="h-60" />
        )}
      </div>
    </Dialog>
  )
}

/** So much of a file shows what it has; a workbook can only be read as a whole. */
const BEGINNING_BYTES = 16 * 1024 * 1024

async function propose(file: File): Promise<DefinitionProposal> {
  await requireTable(file)
  const isCut = !/\.xlsx?$/i.test(file.name) && file.size > BEGINNING_BYTES
  const form = new FormData()
  form.append('file', new File([isCut ? file.slice(0, BEGINNING_BYTES) : file], file.name))
  const path = `/api/entities/definition-from-file?cut=${isCut}`
  const { body } = await upload<{ data: DefinitionProposal[] }>({ path, form })
  return body.data[0] as DefinitionProposal
}

/**
 * Installs a definition as a plugin of its own, after a dry run. Throws an `Error` whose message has a line for each fault;
 * nothing is stored then.
 */
async function installDefinition(draft: DraftDefinition): Promise<void> {
  const { entity, schema } = toDefinitions(draft)
  const change = { plugin: `local.${draft.name}`, entities: [entity], schemas: [schema] }
  const plan = await planModel(change)
  if (plan.installedVersion !== undefined) throw new Error(TAKEN(draft.name))
  const faults = faultsOf(plan)
  if (faults.length > 0) throw new Error(faults.join('\n'))
  await applyModel(change, plan.seal)
  await refreshModel()
}

const TAKEN = (name: string) =>
  `A plugin made from a file has an entity called ${name} already. Choose another name.`
