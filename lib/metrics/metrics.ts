import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { loopDelayMs } from './loop-delay'

/** All metrics of a process. `route` is a pattern, which limits the number of its values. */
export type Metrics = ReturnType<typeof create>

// On `globalThis`: each route is a bundle with a copy of this module.
const shared = globalThis as typeof globalThis & { __engineMetrics?: Metrics }

export function metrics(): Metrics {
  shared.__engineMetrics ??= create()
  return shared.__engineMetrics
}

function create() {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  return {
    registry,
    requests: new Counter({
      name: 'engine_http_requests_total',
      help: 'Requests with a response',
      labelNames: ['method', 'route', 'status'],
      registers,
    }),
    durations: new Histogram({
      name: 'engine_http_request_duration_seconds',
      help: 'Time until the response began',
      labelNames: ['method', 'route'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
      registers,
    }),
    shed: new Counter({
      name: 'engine_requests_shed_total',
      help: 'Requests refused because of overload, by the limit that was reached',
      labelNames: ['what', 'reason'],
      registers,
    }),
    stopped: new Counter({
      name: 'engine_requests_stopped_total',
      help: 'Requests whose statements were stopped: their time was over, or the client left',
      labelNames: ['reason'],
      registers,
    }),
    reads: new Counter({
      name: 'engine_reads_total',
      help: 'Searches, counts and exports where there are replicas, by what they read from; `retried`: on the primary after a replica failed',
      labelNames: ['source'],
      registers,
    }),
    loopDelay: new Gauge({
      name: 'engine_event_loop_delay_seconds',
      help: 'How late the process comes to what is due, by which it decides what to refuse',
      registers,
      aggregator: 'max',
      collect() {
        this.set(loopDelayMs() / 1000)
      },
    }),
    installs: new Gauge({
      name: 'engine_installs',
      help: 'Plugin installs in the history, by status',
      labelNames: ['status'],
      registers,
    }),
    connections: new Gauge({
      name: 'engine_database_connections',
      help: 'Connections of all instances to the database, by state',
      labelNames: ['state'],
      registers,
    }),
    replicas: new Gauge({
      name: 'engine_replicas',
      help: 'Read replicas, by status; only fresh ones are read',
      labelNames: ['status'],
      registers,
    }),
    replicaLag: new Gauge({
      name: 'engine_replica_lag_seconds',
      help: 'How far read replicas are behind the primary, where that is known',
      labelNames: ['replica'],
      registers,
    }),
    previousSecret: new Gauge({
      name: 'engine_previous_secret_values',
      help: 'Stored values that only NEXTAUTH_SECRET_PREVIOUS reads, counted every ten minutes',
      registers,
      aggregator: 'max',
    }),
    backups: new Gauge({
      name: 'engine_backup_timestamp_seconds',
      help: 'When the last backup of BACKUP_SCHEDULE was written and verified, in seconds since 1970; 0: never',
      labelNames: ['what'],
      registers,
      aggregator: 'max',
    }),
    poolSize: new Gauge({
      name: 'engine_database_pool_size',
      help: 'Connections this instance may open for queries, all its workers together',
      registers,
    }),
  }
}
