-- Home counts the overrides that are for review by an index-only scan.
create index compiler_overrides_review_idx on compiler_overrides (compiler_config_id, created_at) where state = 'review';
