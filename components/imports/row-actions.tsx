'use client'
import { useMutation } from '@tanstack/react-query'
import { BanIcon, DownloadIcon, Trash2Icon } from 'lucide-react'
import { toast } from 'sonner'
import { Button, buttonClass } from '@/components/ui/button'
import type { Import } from '@/lib/import/contract'
import { isOver } from './import-item'
import { refusedHref } from './import-requests'
import { cancelListed, removeListed } from './list-requests'

/** What can be done with an import of the list: stop it, get its refused rows, take it off. */
export function RowActions({ of: row }: { of: Import }) {
  const { id, fileName, refusedRows } = row
  const isRunning = !isOver(row)
  const act = useMutation({
    mutationFn: () => (isRunning ? cancelListed(id) : removeListed(id)),
    onError: (error) => toast.error(error.message),
  })
  const [Icon, verb] = isRunning ? [BanIcon, 'Cancel'] : [Trash2Icon, 'Remove from the list:']
  return (
    <span className="flex">
      {refusedRows > 0 && (
        <a
          href={refusedHref(id)}
          download
          aria-label={`Download the refused rows of ${fileName}`}
          title="Download the refused rows"
          className={buttonClass({ variant: 'ghost', size: 'icon-sm' })}
        >
          <DownloadIcon aria-hidden />
        </a>
      )}
      <Button
        variant="ghost"
        size="icon-sm"
        busy={act.isPending}
        aria-label={`${verb} ${fileName}`}
        title={isRunning ? 'Cancel' : 'Remove from the list; the records stay'}
        onClick={() => act.mutate()}
      >
        <Icon aria-hidden />
      </Button>
    </span>
  )
}
