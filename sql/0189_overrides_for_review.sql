-- Home counts the overrides that are for review, which are few.
create index compiler_overrides_review_idx on compiler_overrides (compiler_config_id) where state = 'review';
