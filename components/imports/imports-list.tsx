'use client'
import { useQuery } from '@tanstack/react-query'
import { FileUpIcon } from 'lucide-react'
import { useCallback } from 'react'
import type { Column } from '@/components/data-table/column'
import { defineList, type Panel } from '@/components/lists/define-list'
import { TimeLeft } from '@/components/trash/time-left'
import { Link } from '@/components/ui/link'
import { formatCount } from '@/components/ui/number'
import { Time } from '@/components/ui/time'
import type { Import } from '@/lib/import/contract'
import { ImportStatus } from './import-status'
import { importHref } from './import-tasks'
import { importsOptions } from './list-requests'
import { RowActions } from './row-actions'

const count = (
  id: 'created' | 'updated' | 'refused',
  header: string,
  width: number,
): Column<Import> => ({
  ...{ id, header, align: 'end', sortable: false, width },
  cell: (row) => formatCount(row[id]),
})

const COLUMNS: Column<Import>[] = [
  {
    id: 'fileName',
    header: 'File',
    fixed: true,
    sortable: false,
    width: 220,
    cell: ({ id, entity, fileName }) => (
      <Link href={importHref(entity, id)} className="rounded font-medium hover:underline">
        {fileName}
      </Link>
    ),
  },
  {
    id: 'entity',
    header: 'Entity',
    sortable: false,
    width: 140,
    cell: ({ entity }) => entity,
  },
  {
    id: 'status',
    header: 'Status',
    sortable: false,
    width: 200,
    cell: (row) => <ImportStatus of={row} />,
  },
  count('created', 'Created', 104),
  count('updated', 'Updated', 104),
  count('refused', 'Refused', 104),
  {
    id: 'createdBy',
    header: 'By',
    sortable: false,
    width: 180,
    cell: ({ createdBy }) => createdBy,
  },
  {
    id: 'createdAt',
    header: 'Begun',
    sortable: false,
    width: 172,
    cell: ({ createdAt }) => <Time value={createdAt} />,
  },
  {
    id: 'expiresAt',
    header: 'Time left',
    sortable: false,
    width: 132,
    cell: ({ expiresAt }) => <TimeLeft until={expiresAt} />,
  },
]

const usePanel = (): Panel<Import> => ({
  rowActions: useCallback((row) => <RowActions of={row} />, []),
})

/** The viewer's imports, the newest first. */
export const ImportsList = defineList<Import>({
  label: 'Imports',
  layoutKey: 'imports',
  page: {
    title: 'Imports',
    description:
      'Files that became records. Those that run and the last 50 are listed for 7 days, with the rows that were refused. Only you see yours.',
  },
  useRows: () => useQuery(importsOptions),
  columns: COLUMNS,
  rowId: ({ id }) => id,
  rowName: ({ fileName, createdAt }) => `${fileName}, begun ${createdAt}`,
  usePanel,
  empty: {
    icon: FileUpIcon,
    title: 'No imports',
    text: 'Drop a CSV, XLSX, JSON or JSON Lines file on the page of an entity.',
  },
})
