"""Wind files as masts write them, small and made up."""

TOA5 = """"TOA5","ForestEdge","CR1000X","12345","CR1000X.Std.06.02","CPU:edge_mast.CR1X","54321","Wind_1s"
"TIMESTAMP","RECORD","WS_ms_Avg","WindDir","WindDir_SD1_WVT","BattV_Min"
"TS","RN","meters/second","Deg","Deg","Volts"
"","","Avg","Smp","WVc","Min"
"2024-02-10 14:00:00",881,6.2,252.1,12.4,12.91
"2024-02-10 14:00:01",882,7.1,248.8,11.9,12.91
"2024-02-10 14:00:02",883,"NAN",250.2,12.2,12.91
"2024-02-10 14:00:03",884,8.4,255.0,12.7,12.90
"2024-02-10 14:00:04",885,7.7,251.3,12.0,12.90
"""
SONIC = """timestamp,u (m/s),v (m/s),w (m/s),sonic_temp (degC)
2024-02-10T14:00:00.000Z,5.21,-0.40,0.12,4.1
2024-02-10T14:00:00.050Z,5.34,-0.35,0.10,4.1
2024-02-10T14:00:00.100Z,5.60,-0.22,0.05,4.2
2024-02-10T14:00:00.150Z,5.48,-0.31,-0.02,4.1
"""
GERMAN = """Datum;Zeit;Windgeschwindigkeit [km/h];Windrichtung [°];Temperatur [°C]
10.02.2024;14:00:00;18,0;270,0;4,1
10.02.2024;14:00:01;21,6;275,5;4,1
10.02.2024;14:00:02;-9999;-9999;4,1
10.02.2024;14:00:03;25,2;268,0;4,0
"""
KNOTS = "time,wind speed (kn),wind dir (deg)\n0,10,180\n1,12,190\n2,,\n3,11,185\n"
MILES = "t;WS_mph;WD\n0;20;90\n60;25;95\n120;22;85\n"
CUP = "time (s),speed\n0,4.0\n0.5,4.5\n1.0,5.0\n"
MASTS = {"toa5": TOA5, "sonic": SONIC, "german": GERMAN, "knots": KNOTS, "miles": MILES, "cup": CUP}
