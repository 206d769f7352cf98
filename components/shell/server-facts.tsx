'use client'
import { createContext, type ReactNode, use } from 'react'

/** The server settings that texts of the console depend on. */
export type ServerFacts = {
  /** A provider is set; else mails are kept in the outbox. */
  sendsMail: boolean
  /** Images are kept by a service; else on this server's disk. */
  hasCloudStorage: boolean
}

const FactsContext = createContext<ServerFacts>({ sendsMail: false, hasCloudStorage: false })

export const ServerFactsProvider = ({
  value,
  children,
}: {
  value: ServerFacts
  children: ReactNode
}) => <FactsContext value={value}>{children}</FactsContext>

export const useServerFacts = (): ServerFacts => use(FactsContext)
