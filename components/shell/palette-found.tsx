'use client'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import {
  BlocksIcon,
  DatabaseIcon,
  FileTextIcon,
  ImageIcon,
  type LucideIcon,
  UserIcon,
} from 'lucide-react'
import type { Permission } from '@/lib/auth/rights'
import { findObjects, type Hit } from './find-objects'
import { findRecordsOf, recordAddress } from './find-records'
import { Group, Item } from './palette-items'

type Go = (href: string) => () => void

const ICONS: Record<Hit['kind'], LucideIcon> = {
  entity: DatabaseIcon,
  plugin: BlocksIcon,
  user: UserIcon,
  image: ImageIcon,
}

/** Records of any entity; the server has compared them, so the term is a word of each. */
export function FoundRecords({ term, go }: { term: string; go: Go }) {
  const { data: found = [] } = useQuery({
    queryKey: ['commands', 'records', term],
    queryFn: ({ signal }) => findRecordsOf(term, signal),
    placeholderData: keepPreviousData,
  })
  if (found.length === 0 || term === '') return null
  return (
    <Group heading="Records">
      {found.map((record) => (
        <Item
          key={`${record.entity} ${record.persistenceId}`}
          value={`record ${record.entity} ${record.persistenceId} ${record.title}`}
          words={[term]}
          icon={FileTextIcon}
          label={record.title}
          note={`${record.entity} ${record.persistenceId === record.title ? '' : record.persistenceId}`}
          onSelect={go(recordAddress(record))}
        />
      ))}
    </Group>
  )
}

type ObjectsProps = { term: string; allowed: (permission: Permission) => boolean; go: Go }

/** Entities, plugins, users and images whose name contains the term. */
export function FoundObjects({ term, allowed, go }: ObjectsProps) {
  const { data: hits = [] } = useQuery({
    queryKey: ['commands', term],
    queryFn: ({ signal }) => findObjects(term, allowed, signal),
    placeholderData: keepPreviousData,
  })
  if (hits.length === 0) return null
  return (
    <Group heading="Objects">
      {hits.map(({ kind, href, label }) => (
        <Item
          key={href}
          value={`${kind} ${label}`}
          icon={ICONS[kind]}
          label={label}
          note={kind}
          onSelect={go(href)}
        />
      ))}
    </Group>
  )
}
