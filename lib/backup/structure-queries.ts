/** Queries of PostgreSQL's catalogs. `$1` are the identities (`oid`) of tables. */

/** Columns of a table, in their order. */
export const COLUMNS = `
  select a.attname as name, format_type(a.atttypid, a.atttypmod) as type, a.attnotnull as "notNull",
    a.attgenerated <> '' as "isGenerated", a.attidentity as identity,
    pg_get_expr(d.adbin, d.adrelid) as default,
    (select format('%s.%I', collnamespace::regnamespace, collname) from pg_collation
      where oid = a.attcollation and a.attcollation <> t.typcollation) as collation
  from pg_attribute a join pg_type t on t.oid = a.atttypid
    left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  where a.attrelid = $1::oid and a.attnum > 0 and not a.attisdropped
  order by a.attnum`

/** Sequences that columns own or take their defaults from. `owner` is null for identity columns. */
export const SEQUENCES = `
  select n.nspname as schema, c.relname as name,
    format('create sequence %I.%I as %s increment %s minvalue %s maxvalue %s start %s cache %s %s', n.nspname, c.relname,
      format_type(s.seqtypid, null), seqincrement, seqmin, seqmax, seqstart, seqcache,
      case when seqcycle then 'cycle' else 'no cycle' end) as statement,
    bool_or(p.deptype = 'i') as "isIdentity",
    max(format('%s.%I', p.refobjid::regclass, a.attname)) filter (where p.deptype = 'a') as owner
  from pg_sequence s join pg_class c on c.oid = s.seqrelid join pg_namespace n on n.oid = c.relnamespace
    join lateral (
      select refobjid, refobjsubid, deptype from pg_depend
      where classid = 'pg_class'::regclass and objid = c.oid and deptype in ('a', 'i')
      union all
      select d.adrelid, d.adnum, 'n' from pg_depend q join pg_attrdef d on d.oid = q.objid
      where q.classid = 'pg_attrdef'::regclass and q.refobjid = c.oid
    ) p on p.refobjid = any($1::oid[])
    join pg_attribute a on a.attrelid = p.refobjid and a.attnum = p.refobjsubid
  group by 1, 2, 3 order by 1, 2`

/** Statements that add keys, rules, indexes, references and triggers, in an order that works. */
export const AFTER = `
  with t as (select oid, format('%s.%I', relnamespace::regnamespace, relname) as name from pg_class where oid = any($1::oid[]))
  select statement from (
    select case contype when 'p' then 1 when 'u' then 2 when 'f' then 5 else 3 end as step, name, conname as object,
      format('alter table %s add constraint %I %s', name, conname, pg_get_constraintdef(k.oid)) as statement
    from pg_constraint k join t on t.oid = conrelid where contype in ('p', 'u', 'c', 'x', 'f')
    union all
    select 4, name, indexrelid::regclass::text, pg_get_indexdef(indexrelid) from pg_index join t on t.oid = indrelid
    where indisvalid and not exists (select from pg_constraint where conindid = indexrelid and contype in ('p', 'u', 'x'))
    union all
    select 6, name, tgname, pg_get_triggerdef(g.oid) from pg_trigger g join t on t.oid = tgrelid where not tgisinternal
    union all
    select 7, name, tgname, format('alter table %s %s trigger %I', name,
      case tgenabled when 'A' then 'enable always' when 'R' then 'enable replica' else 'disable' end, tgname)
    from pg_trigger g join t on t.oid = tgrelid where not tgisinternal and tgenabled <> 'O'
  ) s order by step, name, object`

/** Which table refers to which, for an order of loading. */
export const REFERENCES = `
  select distinct conrelid::text as "from", confrelid::text as "to" from pg_constraint
  where contype = 'f' and conrelid <> confrelid and conrelid = any($1::oid[])`
