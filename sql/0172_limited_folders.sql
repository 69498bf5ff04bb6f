-- Folders of FILES_FOLDERS that only these people may use: in forms, and by runs in their name. Other folders are open to everybody.
create table limited_folders (
  folder text primary key,
  user_ids int[] not null
);
