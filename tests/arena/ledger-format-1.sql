PRAGMA application_id=1297043028;
PRAGMA user_version=1;
BEGIN TRANSACTION;
CREATE TABLE experiment (
    key TEXT PRIMARY KEY,      -- hash of the settings
    settings TEXT NOT NULL,    -- JSON: game, players, seed, schedule, openings
    scheduled INTEGER NOT NULL,  -- games asked for by the last run
    created TEXT NOT NULL,
    version TEXT NOT NULL
);
INSERT INTO "experiment" VALUES('588590c7a399098f','{"game": "tictactoe", "players": ["flat(playouts=18)", "random"], "names": ["flat(playouts=18)", "random"], "pairings": [[0, 1]], "seed": 5, "openings": {"moves": 1, "book": []}, "max_moves": 0, "test": [0.0, 400.0, 0.05, 0.05]}',6,'2026-11-16T19:20:00+00:00','0.1.0+66b67433eac467aa');
CREATE TABLE games (
    experiment TEXT NOT NULL REFERENCES experiment (key),
    number INTEGER NOT NULL,   -- in the schedule
    pair INTEGER NOT NULL,     -- two games with one opening and the sides exchanged
    player0 INTEGER NOT NULL, player1 INTEGER NOT NULL,  -- who moved first and second, by index in the settings
    spec0 TEXT NOT NULL, spec1 TEXT NOT NULL,
    seed0 INTEGER NOT NULL, seed1 INTEGER NOT NULL,
    game TEXT NOT NULL,
    opening TEXT NOT NULL,     -- moves, separated by spaces
    moves TEXT NOT NULL,       -- all moves, the opening included
    max_moves INTEGER NOT NULL,
    result TEXT NOT NULL,
    score REAL NOT NULL,       -- of player 0, by our rules
    points REAL NOT NULL,      -- of player 0: 1, 0.5 or 0
    reason TEXT NOT NULL, detail TEXT NOT NULL,
    seconds0 REAL NOT NULL, seconds1 REAL NOT NULL,
    playouts0 INTEGER NOT NULL, playouts1 INTEGER NOT NULL,
    opinion0 TEXT NOT NULL, opinion1 TEXT NOT NULL,
    version TEXT NOT NULL,
    finished TEXT NOT NULL,
    digest TEXT NOT NULL,      -- of the columns from number to finished, to find damage
    PRIMARY KEY (experiment, number)
);
INSERT INTO "games" VALUES('588590c7a399098f',0,0,0,1,'flat(playouts=18)','random',6855510610447230,8342057960577209,'tictactoe','a1','a1 c1 a3 c3 a2',0,'X+1',1.0,1.0,'played','',3.47387899989826109958e-03,2.34868000006827060133e-04,29,0,'','','0.1.0+66b67433eac467aa','2026-11-16T19:20:16.603+00:00','61ba7e153d3a4c0e');
INSERT INTO "games" VALUES('588590c7a399098f',1,0,1,0,'random','flat(playouts=18)',6600201367335069,7240413578808926,'tictactoe','a1','a1 b1 b3 a2 a3 b2 c1 c2',0,'O+1',-1.0,0.0,'played','',4.84483999912299623247e-04,5.5921400002034715726e-03,0,68,'','','0.1.0+66b67433eac467aa','2026-11-16T19:20:16.613+00:00','3161b227dc5d40b9');
INSERT INTO "games" VALUES('588590c7a399098f',2,1,0,1,'flat(playouts=18)','random',1097111835457290,2331830481012290,'tictactoe','b1','b1 b2 c1 a3 c2 b3 c3',0,'X+1',1.0,1.0,'played','',3.49838500017085607396e-03,3.54832999846621532924e-04,47,0,'','','0.1.0+66b67433eac467aa','2026-11-16T19:20:16.618+00:00','3dc803bf7ee8dda5');
INSERT INTO "games" VALUES('588590c7a399098f',3,1,1,0,'random','flat(playouts=18)',6381129417452987,4516306303935895,'tictactoe','b1','b1 b2 c3 c2 a3 a2',0,'O+1',-1.0,0.0,'played','',2.35489000033339834772e-04,3.70623399999203684274e-03,0,50,'','','0.1.0+66b67433eac467aa','2026-11-16T19:20:16.623+00:00','085e5102594b40f6');
INSERT INTO "games" VALUES('588590c7a399098f',4,2,0,1,'flat(playouts=18)','random',2763420086866224,7985191324109321,'tictactoe','b2','b2 c3 a3 a1 b1 a2 c2 c1 b3',0,'X+1',1.0,1.0,'played','',4.65017399994849256472e-03,0.000610718999951132,65,0,'','','0.1.0+66b67433eac467aa','2026-11-16T19:20:16.643+00:00','bc943eb4ff5550e2');
INSERT INTO "games" VALUES('588590c7a399098f',5,2,1,0,'random','flat(playouts=18)',2921445146797992,875512107186077,'tictactoe','b2','b2 c1 b3 c3 c2 a1 a3 b1',0,'O+1',-1.0,0.0,'played','',6.70290000016393605619e-04,8.47583999996004422428e-03,0,68,'','','0.1.0+66b67433eac467aa','2026-11-16T19:20:16.656+00:00','d2d63de8debb4f5b');
COMMIT;
